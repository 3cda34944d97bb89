"""roce-lint: finds where a RoCEv2 fabric stops being lossless, and on which line."""

VERSION = "0.1.0"
