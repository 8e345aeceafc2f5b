"""`python -m numberquest` is `numberquest`."""

import sys

from numberquest.cli import main

sys.exit(main())
