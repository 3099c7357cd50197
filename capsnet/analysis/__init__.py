"""What can be computed about a network and its routing: arrays in, arrays out."""
