"""What takes long, thought out by processes beside the server."""
