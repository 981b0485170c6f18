package io.angarium.messagecentre.centre;

import io.angarium.messagecentre.demo.Parent;
import io.angarium.server.Server;

/** The process of the server; {@code ./angarium server} starts it without this one around it. */
public final class CentreProcess {
  private CentreProcess() {}

  /** Starts it; it runs until it is ended. */
  public static void main(String[] args) {
    Parent.endWithIt();
    Server.main(args);
  }
}
