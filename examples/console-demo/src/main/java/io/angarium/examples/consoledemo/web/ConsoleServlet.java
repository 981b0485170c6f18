package io.angarium.examples.consoledemo.web;

import io.angarium.console.OperatorConsole;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** All that a servlet container needs to serve the console. Thread-safe. */
final class ConsoleServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient OperatorConsole console;

  ConsoleServlet(OperatorConsole console) {
    this.console = console;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getPathInfo();
    console.handle(request, response, path == null ? "" : path.substring(1));
  }
}
