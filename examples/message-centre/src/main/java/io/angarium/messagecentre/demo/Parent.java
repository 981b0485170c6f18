package io.angarium.messagecentre.demo;

import java.io.IOException;

/** The program that started a service. */
public final class Parent {
  private Parent() {}

  /** Ends this process when the program that started it has ended, however that came. */
  public static void endWithIt() {
    Thread watch = new Thread(Parent::awaitEnd, "parent");
    watch.setDaemon(true);
    watch.start();
  }

  private static void awaitEnd() {
    try {
      while (System.in.read() >= 0) {
        // it says nothing
      }
    } catch (IOException e) {
      // gone as well
    }
    System.exit(0);
  }
}
