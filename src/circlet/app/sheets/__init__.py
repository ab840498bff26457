"""Contact sheets: what was asked above, what was found below, as a PNG or a self-contained page."""

from circlet.app.sheets.sheet import FORMS, Sheet, write_sheet

__all__ = ["FORMS", "Sheet", "write_sheet"]
