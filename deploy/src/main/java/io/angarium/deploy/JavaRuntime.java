package io.angarium.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A Java runtime with the modules that the server uses, made by jlink from the JDK that runs. */
final class JavaRuntime {
  /**
   * Besides what the libraries refer to, which jdeps finds, those that are found by name: elliptic
   * curves for TLS, Kerberos for the brokers, DNS for JNDI; and jcmd and the agent of JMX to look
   * into a server.
   */
  static final List<String> MODULES =
      List.of(
          "java.base",
          "java.compiler",
          "java.desktop", // java.beans, of which Spring is made
          "java.instrument",
          "java.logging",
          "java.management",
          "java.naming",
          "java.net.http",
          "java.scripting",
          "java.security.jgss",
          "java.security.sasl",
          "java.sql",
          "java.sql.rowset",
          "java.transaction.xa",
          "java.xml",
          "jdk.charsets",
          "jdk.crypto.ec",
          "jdk.jcmd",
          "jdk.jfr",
          "jdk.localedata",
          "jdk.management",
          "jdk.management.agent",
          "jdk.naming.dns",
          "jdk.net",
          "jdk.security.auth",
          "jdk.security.jgss",
          "jdk.unsupported",
          "jdk.zipfs");

  /** Windows, sound and fonts: native libraries that a server never loads. */
  private static final String NATIVE_DESKTOP =
      "glob:/java.desktop/lib/**,glob:/java.desktop/native/**";

  private JavaRuntime() {}

  /**
   * Makes it.
   *
   * @param folder which does not exist yet
   */
  static void link(Path folder) throws IOException {
    Path program = Path.of(System.getProperty("java.home"), "bin", "jlink");
    // in a JVM of its own: two runs in one JVM were seen to make different runtimes
    Process jlink =
        new ProcessBuilder(
                program.toString(),
                "--add-modules",
                String.join(",", MODULES),
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--exclude-files",
                NATIVE_DESKTOP,
                "--output",
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(jlink.getInputStream().readAllBytes(), UTF_8);
    int status = jlink.onExit().join().exitValue();
    if (status != 0) {
      throw new ImageException("jlink ended with status %d: %s".formatted(status, said));
    }
  }
}
