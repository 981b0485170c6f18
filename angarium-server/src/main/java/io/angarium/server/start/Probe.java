package io.angarium.server.start;

import io.angarium.TimeSource;
import java.io.IOException;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Asks a server whether it is ready: for health checks where there is neither curl nor a shell. */
public final class Probe {
  /** The first argument. */
  public static final String COMMAND = "probe";

  private static final String ADDRESS = "http://127.0.0.1:8090";
  private static final String READINESS = "/actuator/health/readiness";
  private static final String WAIT = "--wait=";
  private static final int WAIT_SECONDS_MAX = 3_600;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(250);

  private static final int READY = 0;
  private static final int NOT_READY = 1;
  private static final int WRONG_USAGE = 2;

  private Probe() {}

  /**
   * Asks until the server is ready or the time is over, but at least once.
   *
   * @param arguments what stands after the command
   * @return the status for the end of the JVM
   */
  public static int run(List<String> arguments, PrintStream out, PrintStream err) {
    Duration wait = Duration.ZERO;
    String address = ADDRESS;
    for (String argument : arguments) {
      if (!argument.startsWith("-")) {
        address = argument;
      } else if (isWait(argument)) {
        wait = Duration.ofSeconds(Long.parseLong(argument.substring(WAIT.length())));
      } else {
        err.printf(
            "'%s' is no option of %s (expected: %s0..%d, an address)%n",
            argument, COMMAND, WAIT, WAIT_SECONDS_MAX);
        return WRONG_USAGE;
      }
    }
    Optional<URL> url = url(address);
    if (url.isEmpty()) {
      err.printf("'%s' is no address of a server (expected: e.g. %s)%n", address, ADDRESS);
      return WRONG_USAGE;
    }
    String answer = awaitReady(url.get(), wait);
    (answer.isEmpty() ? out : err)
        .println(
            CleanText.line(address)
                + (answer.isEmpty() ? " is ready" : " is not ready: " + answer));
    return answer.isEmpty() ? READY : NOT_READY;
  }

  private static boolean isWait(String argument) {
    return argument.matches(WAIT + "\\d{1,4}")
        && Integer.parseInt(argument.substring(WAIT.length())) <= WAIT_SECONDS_MAX;
  }

  /** A path of its own is kept: that of the Actuator can be configured. */
  private static Optional<URL> url(String address) {
    try {
      URI given = URI.create(address);
      boolean whole = given.getHost() != null && address.matches("https?://.*");
      boolean bare = given.getPath() == null || given.getPath().replace("/", "").isEmpty();
      return whole
          ? Optional.of((bare ? given.resolve(READINESS) : given).toURL())
          : Optional.empty();
    } catch (IllegalArgumentException | MalformedURLException e) {
      return Optional.empty();
    }
  }

  /** The last answer; empty if it is that the server is ready. */
  private static String awaitReady(URL url, Duration wait) {
    long start = TimeSource.SYSTEM.nanoTime();
    String answer = ask(url);
    while (!answer.isEmpty() && TimeSource.SYSTEM.nanoTime() - start < wait.toNanos()) {
      LockSupport.parkNanos(PAUSE.toNanos());
      answer = ask(url);
    }
    return answer;
  }

  private static String ask(URL url) {
    try {
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      if (connection instanceof HttpsURLConnection tls) {
        trust(tls);
      }
      connection.setConnectTimeout((int) TIMEOUT.toMillis());
      connection.setReadTimeout((int) TIMEOUT.toMillis());
      connection.setInstanceFollowRedirects(false);
      int status = connection.getResponseCode();
      connection.disconnect();
      return status == HttpURLConnection.HTTP_OK ? "" : "status " + status;
    } catch (IOException | GeneralSecurityException e) {
      return CleanText.line(String.valueOf(e));
    }
  }

  /**
   * Any certificate for any name will do, as for the probes of Kubernetes: a server has one for the
   * name by which its callers know it, and nothing secret is sent.
   */
  private static void trust(HttpsURLConnection connection) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new AnyCertificate()}, null);
    connection.setSSLSocketFactory(context.getSocketFactory());
    connection.setHostnameVerifier((name, session) -> true);
  }

  /** Extended, as Java checks names and algorithms itself for what is not. */
  private static final class AnyCertificate extends X509ExtendedTrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
