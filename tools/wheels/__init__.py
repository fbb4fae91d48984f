"""Wheels for seven platforms, made on one Linux machine with ziglang's cross compiler: `make wheels`."""
