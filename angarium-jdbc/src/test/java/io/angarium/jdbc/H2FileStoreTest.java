package io.angarium.jdbc;

import io.angarium.testkit.tck.StoreFixture;
import io.angarium.testkit.tck.StoreTck;
import io.angarium.testservers.OnOneJdk;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

@OnOneJdk
final class H2FileStoreTest implements StoreTck {
  @TempDir private Path folder;
  private StoreFixture fixture;

  @BeforeEach
  void open() {
    fixture = new JdbcStoreFixture(EmptyDatabase.h2InFile(folder));
  }

  @Override
  public StoreFixture fixture() {
    return fixture;
  }
}
