package io.angarium.spring.listener.internal.form;

import org.jspecify.annotations.Nullable;

/** A message whose method receives the header with its id. */
public final class HeaderForm implements MessageForm {
  @Override
  public Class<?> type() {
    return Object.class;
  }

  @Override
  public @Nullable String id(Object message) {
    return MessageForm.text(message);
  }

  @Override
  public @Nullable String header(Object message, String name) {
    return null;
  }

  @Override
  public String idPlace() {
    return "the argument with the header";
  }

  @Override
  public String where(Object message) {
    return "a message";
  }
}
