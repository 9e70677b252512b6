// Runs before the first paint: an explicit theme must not flash in the system's. The panel keeps this copy up to date.
try {
  const theme = localStorage.getItem("wbTheme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's theme it is.
}
