"""Prime fields as they are emitted: representations, proved limb functions, and what is built of them."""
