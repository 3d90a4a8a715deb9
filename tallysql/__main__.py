"""`python -m tallysql`."""

from tallysql.cli import main

if __name__ == "__main__":
    main()
