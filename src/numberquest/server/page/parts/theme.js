// Before anything is drawn, so that a dark page does not flash. app.js calls for it again after a switch.
{
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    let theme = '';
    try {
      theme = JSON.parse(localStorage.getItem('nq.theme') ?? '""');
    } catch {
      // Private mode has no storage: then it is as the system says.
    }
    document.documentElement.dataset.theme = theme || (dark.matches ? 'dark' : 'light');
  };
  dark.addEventListener('change', show);
  addEventListener('theme', show);
  show();
}
