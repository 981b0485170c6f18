package io.angarium.testservers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Runs PostgreSQL although the tests run as root, which it refuses: in a user namespace, where the
 * process is nobody and the files are still its own, or else as another user of the machine.
 */
enum Unprivileged {
  /** The tests do not run as root; nothing is to be done. */
  ALREADY(""),
  /** A user namespace, the way that needs no other user. */
  NAMESPACE("unshare -U"),
  /** The user {@code postgres} of an installed server. */
  POSTGRES("setpriv --reuid=postgres --regid=postgres --clear-groups"),
  /** The user without rights, to whom the data folder is given. */
  NOBODY("setpriv --reuid=nobody --regid=nogroup --clear-groups");

  private static final Unprivileged HERE = choose();

  private final String prefix;

  Unprivileged(String prefix) {
    this.prefix = prefix;
  }

  static Unprivileged here() {
    return HERE;
  }

  private static Unprivileged choose() {
    if (!isRoot()) {
      return ALREADY;
    }
    if (Shell.succeeds("unshare", "-U", "true")) {
      return NAMESPACE;
    }
    return Shell.succeeds("id", "postgres") ? POSTGRES : NOBODY;
  }

  static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** What stands before the command. */
  List<String> prefix() {
    return prefix.isEmpty() ? List.of() : List.of(prefix.split(" "));
  }

  /** Whether the programs must lie where another user may read them. */
  boolean isAnotherUser() {
    return this == POSTGRES || this == NOBODY;
  }

  /** Gives the file, or the folder with its content, to the user who runs the command. */
  void give(Path path) {
    if (isAnotherUser()) {
      String user = this == POSTGRES ? "postgres" : "nobody";
      List<String> command = List.of("chown", "-R", user, path.toString());
      Shell.run(Path.of("/"), Duration.ofSeconds(10), command);
    }
  }
}
