"""Pages to sign up, log in and out, and change the password."""
