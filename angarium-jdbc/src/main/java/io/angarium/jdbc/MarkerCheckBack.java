package io.angarium.jdbc;

import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import java.util.List;

/** Answers for half messages by the markers of their business transactions. Thread-safe. */
record MarkerCheckBack(JdbcMarkers markers) implements CheckBack {
  @Override
  public Verdict check(HalfKey key) {
    return markers.check(new Marker(key.business(), key.key()));
  }

  @Override
  public List<Verdict> checkAll(List<HalfKey> keys) {
    return keys.isEmpty()
        ? List.of()
        : markers.checkAll(keys.get(0).business(), keys.stream().map(HalfKey::key).toList());
  }
}
