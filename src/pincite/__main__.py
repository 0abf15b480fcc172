"""python -m pincite: the same as the command pincite."""

from pincite.cli.main import main

main()
