"""Puts the product on AWS, keeps it there and takes it away: `make deploy STAGE=…` and its siblings (docs/deploy.md)."""
