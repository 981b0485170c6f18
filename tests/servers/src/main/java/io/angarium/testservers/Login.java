package io.angarium.testservers;

import java.security.SecureRandom;
import java.util.HexFormat;

/** A user and the password; printed without the password. */
record Login(String user, String password) {
  static Login withRandomPassword(String user) {
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    return new Login(user, HexFormat.of().formatHex(secret));
  }

  @Override
  public String toString() {
    return "Login[user=" + user + "]";
  }
}
