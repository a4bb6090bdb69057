"""Games made and proven: built, modelled, verified on hosts, compared with recordings."""
