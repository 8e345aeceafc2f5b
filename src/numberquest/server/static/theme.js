// Before anything is drawn, so that a page that was switched to dark does not flash. Private mode has no storage.
try {
  const theme = localStorage.getItem('nq.theme');
  if (theme) document.documentElement.dataset.theme = JSON.parse(theme);
} catch {
  // Then the page follows the system, as it does for everybody who never switched.
}
