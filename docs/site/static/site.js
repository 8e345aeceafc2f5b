// Code that is wider than the page can be moved with the keyboard, too.
document.addEventListener("DOMContentLoaded", () => {
  for (const code of document.querySelectorAll("div.highlight pre")) {
    if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
  }
});
