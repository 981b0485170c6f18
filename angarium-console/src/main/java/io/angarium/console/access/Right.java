package io.angarium.console.access;

import java.util.EnumSet;
import java.util.Set;

/** What an operator may do. */
public enum Right {
  /** Sees lists, numbers, masked payloads and the audit. */
  VIEW,
  /** Sees payloads as they are. */
  PAYLOAD,
  /** Acts on messages. */
  OPERATE,
  /** Changes what concerns everybody, and acts on very many messages at once. */
  ADMIN;

  /** The rights of somebody who only watches. */
  public static final Set<Right> VIEWER = Set.of(VIEW);

  /** The rights of somebody who acts. */
  public static final Set<Right> OPERATOR = Set.of(VIEW, PAYLOAD, OPERATE);

  /** All rights. */
  public static final Set<Right> ALL = Set.copyOf(EnumSet.allOf(Right.class));
}
