"""Hand strength and potential (Papp 1998), also against several or weighted opponents."""
