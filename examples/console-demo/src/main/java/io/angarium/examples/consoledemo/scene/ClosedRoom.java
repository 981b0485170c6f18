package io.angarium.examples.consoledemo.scene;

import io.angarium.alert.AlertChannel;
import io.angarium.alert.Notices;
import java.io.IOException;

/** A chat room that takes no alerts any more, as somebody has removed the robot. */
final class ClosedRoom implements AlertChannel {
  @Override
  public String name() {
    return "night-shift";
  }

  @Override
  public void send(Notices notices) throws IOException {
    throw new IOException("https://chat.example.com answered 403: no such robot");
  }
}
