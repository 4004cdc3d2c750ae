"""``python -m linrelay``, the same as the command ``linrelay``."""

from linrelay._cli import main

if __name__ == "__main__":
    main(prog_name="linrelay")
