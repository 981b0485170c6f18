package io.angarium.architecture.planted;

final class NamedByForm {
  private NamedByForm() {}

  static final class StringUtils {}

  static final class RelayManager {}

  static final class SendHelper {}

  static final class OutboxImpl {}

  static final class AbstractStore {}

  static final class BaseStore {}

  static final class MessageProcessor {}

  static final class MessageInfo {}

  static final class Baseline {}

  static final class Commonwealth {}
}
