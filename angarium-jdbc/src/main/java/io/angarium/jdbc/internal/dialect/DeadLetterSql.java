package io.angarium.jdbc.internal.dialect;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.DeadEntry;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Dead letters: how messages become dead, and what people do with them. Thread-safe. */
public interface DeadLetterSql {
  /** Moves rows from the outbox and the parked list to the dead letters. */
  List<Sql> bury(List<DeadEntry> burials);

  /** Dead letters by message id: message columns, then reason, dead since, blocks key. */
  Sql deadOf(Collection<UUID> ids);

  /** Partition, key hash, blocks key and message id of dead letters. */
  Sql deadKeysOf(Collection<UUID> ids);

  /** Moves dead letters that block their key to the parked list; the last statement counts. */
  List<Sql> requeueBlocking(Collection<UUID> ids, String by);

  /** Moves the other dead letters to the outbox; the last statement counts. */
  List<Sql> requeueOthers(Collection<UUID> ids, String by);

  /** Deletes dead letters. */
  Sql discard(Collection<UUID> ids);
}
