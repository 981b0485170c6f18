// Sets theme and language before the first paint; everything else waits for main.js.
(function () {
  var root = document.documentElement;
  try {
    var kept = JSON.parse(localStorage.getItem('angarium-console') || '{}');
    if (kept.theme === 'light' || kept.theme === 'dark') root.dataset.theme = kept.theme;
    if (kept.lang === 'zh') root.lang = 'zh-CN';
  } catch (unreadable) {
    // A browser without storage shows the defaults.
  }
})();
