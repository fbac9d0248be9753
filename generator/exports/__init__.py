"""The functions of a whole curve that users call: one table, from which all that names them is printed."""
