"""Games made and proven: built, modelled, verified on hosts, held against recordings."""
