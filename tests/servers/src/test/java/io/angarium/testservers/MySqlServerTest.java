package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RequiresServer(Server.MYSQL)
@Thorough
class MySqlServerTest extends DatabaseServerContract {
  MySqlServerTest() {
    super(Server.MYSQL);
  }

  @Override
  void assertProduct(String version) {
    assertThat(version).doesNotContain("MariaDB").doesNotContain("PostgreSQL");
  }

  @Override
  void assertDurable(Connection connection) throws SQLException {
    assertThat(select(connection, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
    assertThat(select(connection, "SELECT @@sync_binlog")).isEqualTo("1");
    assertThat(select(connection, "SELECT @@log_bin")).isEqualTo("1");
  }

  @Test
  void runsACopyOfAnInstalledServerThatIsConfined(@TempDir Path temporary) throws IOException {
    Path program = Files.writeString(temporary.resolve("mysqld"), "#!/bin/sh\necho a");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path confinement = temporary.resolve("profile");
    assertThat(MySqlRecipe.unconfined(program, confinement)).isEqualTo(program);

    Files.writeString(confinement, "");
    System.setProperty("angarium.test.cache", temporary.resolve("cache").toString());
    try {
      Path copy = MySqlRecipe.unconfined(program, confinement);

      assertThat(copy).isNotEqualTo(program).isExecutable().hasSameBinaryContentAs(program);
    } finally {
      System.clearProperty("angarium.test.cache");
    }
  }
}
