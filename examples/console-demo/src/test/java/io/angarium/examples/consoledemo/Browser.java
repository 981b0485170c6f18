package io.angarium.examples.consoledemo;

import io.angarium.TimeSource;
import io.angarium.testservers.Chromium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A Chromium without a window. Every question waits until the page has an answer and fails loudly
 * if that takes too long. Not thread-safe: one thread at a time.
 */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = 20_000_000;
  private static final int TABS_MAX = 250;
  private static final int HEIGHT = 900;

  /** Narrower screens are telephones, whose scroll bars take no place. */
  private static final int TABLET = 500;

  private static final int SHOT_HEIGHT_MAX = 4_000;
  private static final int ROWS_MAX = 20;
  private static final Path SCREENSHOTS = Path.of("target/screenshots");

  private static final List<String> FLAGS =
      List.of(
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--lang=en-US",
          "--accept-lang=en-US");

  /** The first visible element that a selector fits and whose text or name contains a text. */
  private static final String FIND =
      """
      const [css, text] = arguments;
      const plain = (it) => (it ?? '').replace(/[\\u00a0\\u202f]/g, ' ');
      return [...document.querySelectorAll(css)].find((each) => each.checkVisibility()
        && (plain(each.innerText).includes(text) || plain(each.getAttribute('aria-label')).includes(text))) ?? null;
      """;

  private static final String HAS_FOCUS =
      """
      const [css, text] = arguments;
      const at = document.activeElement;
      const plain = (it) => (it ?? '').replace(/[\\u00a0\\u202f]/g, ' ');
      return Boolean(at?.matches(css))
        && (plain(at.innerText).includes(text) || plain(at.getAttribute('aria-label')).includes(text));
      """;

  /** Says that it does not know this Chromium's newest features, none of which is used. */
  private static final Logger SELENIUM_LOG = Logger.getLogger("org.openqa.selenium");

  private final TimeSource time = TimeSource.SYSTEM;
  private final ChromeDriver driver;
  private final Path folder;

  private Browser(ChromeDriver driver, Path folder) {
    this.driver = driver;
    this.folder = folder;
  }

  static Browser start() {
    SELENIUM_LOG.setLevel(Level.SEVERE);
    Chromium chromium = Chromium.installed();
    try {
      Path folder = Files.createTempDirectory("console-browser-");
      LoggingPreferences logs = new LoggingPreferences();
      logs.enable(LogType.BROWSER, Level.ALL);
      ChromeOptions options = new ChromeOptions();
      options.setBinary(chromium.browser().toFile());
      options.addArguments(FLAGS);
      options.addArguments("--user-data-dir=" + folder);
      options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
      ChromeDriverService service =
          new ChromeDriverService.Builder()
              .usingDriverExecutable(chromium.driver().toFile())
              .usingAnyFreePort()
              .build();
      Browser browser = new Browser(new ChromeDriver(service, options), folder);
      browser.show(1280, false);
      return browser;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets the width of the page and whether the person prefers dark pages. */
  void show(int width, boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", width < TABLET));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  void open(String address) {
    driver.get(address);
  }

  String address() {
    return Objects.requireNonNull(driver.getCurrentUrl());
  }

  void forgetCookies() {
    driver.manage().deleteAllCookies();
  }

  /** Runs a script in the page. */
  @Nullable Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Asks the browser itself. */
  Map<String, Object> ask(String command, Map<String, Object> parameters) {
    return driver.executeCdpCommand(command, parameters);
  }

  /** Waits until something is there. */
  <T> T await(String what, Supplier<Optional<T>> look) {
    long end = time.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        Optional<T> found = look.get();
        if (found.isPresent()) {
          return found.get();
        }
      } catch (StaleElementReferenceException | ElementNotInteractableException e) {
        // the page is being drawn anew
      }
      if (time.nanoTime() - end > 0) {
        screenshot("missing");
        throw new AssertionError(
            "%s is not there within %ds, but: %s".formatted(what, PATIENCE.toSeconds(), text()));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Waits until something is true. */
  void awaitThat(String what, Supplier<Boolean> look) {
    await(what, () -> look.get() ? Optional.of(true) : Optional.empty());
  }

  /** Waits for a visible element with a text or name. */
  WebElement see(String css, String text) {
    return await("'" + text + "' in " + css, () -> find(css, text));
  }

  private Optional<WebElement> find(String css, String text) {
    return Optional.ofNullable((WebElement) driver.executeScript(FIND, css, text));
  }

  /** Tells whether such an element is visible now. */
  boolean shows(String css, String text) {
    return find(css, text).isPresent();
  }

  /** Waits until no such element is visible. */
  void seeNo(String css, String text) {
    awaitThat("no '" + text + "' in " + css, () -> find(css, text).isEmpty());
  }

  /** Waits until so many elements fit a selector. */
  void seeCount(String css, int count) {
    awaitThat(
        count + " of " + css,
        () ->
            Objects.equals(
                (long) count,
                driver.executeScript(
                    "return document.querySelectorAll(arguments[0]).length", css)));
  }

  void click(String css, String text) {
    await(
        "'" + text + "' to click in " + css,
        () ->
            find(css, text)
                .map(
                    element -> {
                      element.click();
                      return true;
                    }));
  }

  /** Types into the field with this label. */
  void type(String css, String text) {
    await(
        css + " to type into",
        () ->
            find(css, "")
                .map(
                    element -> {
                      element.sendKeys(text);
                      return true;
                    }));
  }

  /** Presses keys, wherever the focus is. */
  void press(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  /** Presses a key while another one is held down. */
  void pressWith(Keys held, CharSequence key) {
    new Actions(driver).keyDown(held).sendKeys(key).keyUp(held).perform();
  }

  /** Presses the tabulator until the focus is on an element. */
  void tabTo(String css, String text) {
    see(css, text);
    for (int i = 0; i < TABS_MAX; i++) {
      if (isFocused(css, text)) {
        return;
      }
      press(Keys.TAB);
    }
    throw new AssertionError("The tabulator does not reach '" + text + "' in " + css);
  }

  /** Waits until the focus is on an element. */
  void awaitFocus(String css, String text) {
    awaitThat("the focus on '" + text + "' in " + css, () -> isFocused(css, text));
  }

  /** Tells whether the focus is on such an element. */
  boolean isFocused(String css, String text) {
    return Boolean.TRUE.equals(driver.executeScript(HAS_FOCUS, css, text));
  }

  /** Steps down to the row that has a text, by keyboard. */
  void stepTo(String text) {
    see("main [data-row]", text);
    for (int i = 0; i < ROWS_MAX; i++) {
      press("j");
      if (isFocused("[data-row]", text)) {
        return;
      }
    }
    throw new AssertionError("No row has '" + text + "'");
  }

  /** All that can be read. */
  String text() {
    return String.valueOf(driver.executeScript("return document.body.innerText"))
        .replace('\u202f', ' ')
        .replace('\u00a0', ' ');
  }

  /** What the browser complained about since the last call. */
  List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Keeps a picture of the whole page. */
  void screenshot(String name) {
    Number height = (Number) driver.executeScript("return document.documentElement.scrollHeight");
    Number width = (Number) driver.executeScript("return window.innerWidth");
    Map<String, Object> picture =
        driver.executeCdpCommand(
            "Page.captureScreenshot",
            Map.of(
                "format",
                "png",
                "captureBeyondViewport",
                true,
                "clip",
                Map.of(
                    "x",
                    0,
                    "y",
                    0,
                    "width",
                    width,
                    "height",
                    Math.min(height.intValue(), SHOT_HEIGHT_MAX),
                    "scale",
                    1)));
    try {
      Files.createDirectories(SCREENSHOTS);
      Files.write(
          SCREENSHOTS.resolve(name + ".png"),
          Base64.getDecoder().decode((String) picture.get("data")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // the browser still ends, and the folder is a temporary one
    }
  }
}
