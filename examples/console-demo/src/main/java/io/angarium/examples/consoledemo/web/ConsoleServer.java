package io.angarium.examples.consoledemo.web;

import io.angarium.console.OperatorConsole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;

/** Serves a console on this machine only, at {@code /console/}. Thread-safe. */
public final class ConsoleServer implements AutoCloseable {
  private static final String PATH = "/console";
  private static final String HOST = "127.0.0.1";

  /** So many ports are tried after a wanted one that is taken. */
  private static final int PORTS_TRIED = 20;

  /** Kept, since loggers that nobody holds lose their level. */
  private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache");

  private final Tomcat tomcat;
  private final Path folder;

  private ConsoleServer(Tomcat tomcat, Path folder) {
    this.tomcat = tomcat;
    this.folder = folder;
  }

  /**
   * Starts to serve a console.
   *
   * @param port the next free one is taken if it is not free; 0 for any
   */
  public static ConsoleServer start(OperatorConsole console, int port) {
    TOMCAT_LOG.setLevel(Level.WARNING);
    try {
      Path folder = Files.createTempDirectory("console-demo-");
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(folder.toString());
      Connector connector = new Connector();
      connector.setProperty("address", HOST);
      connector.setPort(port == 0 ? 0 : freePort(port));
      tomcat.setConnector(connector);
      StandardContext context = (StandardContext) tomcat.addContext(PATH, null);
      // the process ends with it
      context.setClearReferencesRmiTargets(false);
      context.setClearReferencesThreadLocals(false);
      Tomcat.addServlet(context, "console", new ConsoleServlet(console));
      context.addServletMappingDecoded("/*", "console");
      tomcat.start();
      return new ConsoleServer(tomcat, folder);
    } catch (IOException e) {
      throw new UncheckedIOException("The console cannot be served", e);
    } catch (LifecycleException e) {
      throw new IllegalStateException("The console cannot be served", e);
    }
  }

  private static int freePort(int wanted) throws IOException {
    for (int port = wanted; port < wanted + PORTS_TRIED; port++) {
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // taken: the next one
      }
    }
    throw new IOException(
        "ports %d to %d are all taken; choose another one with --port"
            .formatted(wanted, wanted + PORTS_TRIED - 1));
  }

  /** The address of the page. */
  public String address() {
    return "http://" + HOST + ":" + tomcat.getConnector().getLocalPort() + PATH + "/";
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
      try (Stream<Path> files = Files.walk(folder)) {
        List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        for (Path file : deepestFirst) {
          Files.deleteIfExists(file);
        }
      }
    } catch (LifecycleException | IOException e) {
      TOMCAT_LOG.log(Level.WARNING, "The console did not end in good order", e);
    }
  }
}
