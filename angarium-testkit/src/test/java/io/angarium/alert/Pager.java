package io.angarium.alert;

import io.angarium.alert.Notice.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A channel that keeps what it was told; may fail. */
final class Pager implements AlertChannel {
  final List<Notices> messages = new CopyOnWriteArrayList<>();
  String failure = "";
  @Nullable Duration renewal;
  private final String name;

  Pager(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void send(Notices notices) throws IOException {
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
    messages.add(notices);
  }

  @Override
  public @Nullable Duration renewal() {
    return renewal;
  }

  @Override
  public boolean direct() {
    return true;
  }

  List<Kind> kinds() {
    return notices().stream().map(Notice::kind).toList();
  }

  List<Notice> notices() {
    return messages.stream().flatMap(each -> each.list().stream()).toList();
  }
}
