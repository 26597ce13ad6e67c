"""Players that are programs speaking the ACPC's protocol, on either side of it."""
