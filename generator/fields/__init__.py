"""Prime fields as emitted: representations, proved limb functions, and the functions built on them."""
