package io.angarium.jdbc.internal.sql;

import io.angarium.BusinessKey;
import io.angarium.intake.NewMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * A row of the unique business keys on MySQL and MariaDB: a key, or the guard of a stripe. In the
 * primary key a guard stands before the keys of its stripe and after the keys of the stripe before.
 * A transaction locks the guard first. So no other transaction meets its locks on the keys and on
 * the gaps between them, where waiting leads to deadlocks. Immutable.
 */
public record StripedKey(int stripe, String type, String key, UUID messageId) {
  /** How many stripes there are; the schema script adds a guard for each. */
  public static final int STRIPES = 1_024;

  /** The order of the primary key, as far as it matters: by stripe, the guard first. */
  public static final Comparator<StripedKey> AS_STORED =
      Comparator.comparingInt(StripedKey::stripe)
          .thenComparing(StripedKey::type)
          .thenComparing(StripedKey::key);

  public static StripedKey of(NewMessage message) {
    BusinessKey business = Objects.requireNonNull(message.message().business());
    return new StripedKey(
        stripeOf(business), business.type(), business.key(), message.id().value());
  }

  /**
   * Computes the stripe with the formula of the schema script; another formula would not find the
   * rows.
   */
  private static int stripeOf(BusinessKey business) {
    CRC32 crc = new CRC32();
    crc.update((business.type() + '\0' + business.key()).getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % STRIPES);
  }

  private static StripedKey guard(int stripe) {
    return new StripedKey(stripe, "", "", new UUID(0, 0));
  }

  public boolean isGuard() {
    return key.isEmpty();
  }

  /**
   * The keys, each after the guard of its stripe, in the one order in which everyone locks them. Of
   * equal keys the first remains.
   */
  public static List<StripedKey> guarded(Collection<NewMessage> messages) {
    TreeSet<StripedKey> rows = new TreeSet<>(AS_STORED);
    for (NewMessage message : messages) {
      StripedKey row = of(message);
      rows.add(guard(row.stripe()));
      rows.add(row);
    }
    return new ArrayList<>(rows);
  }
}
