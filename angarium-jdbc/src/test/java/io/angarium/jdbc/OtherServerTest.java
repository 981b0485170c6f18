package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.dialect.mysql.MySqlSchemaSql;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.OtherServer;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that only speak like those on which the outbox was proved are refused by their name. */
@OnOneJdk
class OtherServerTest {
  private static final JdbcConfig CREATE = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
  private static final Path GALERA = Path.of("/usr/lib/galera/libgalera_smm.so");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8.0.11-TiDB-v7.5.1 TiDB Server (Apache License 2.0) Community Edition| TIDB",
        "5.7.25-OceanBase-v4.2.1.0 OceanBase_CE 4.2.1.0| OCEANBASE",
        "8.0.32-X-Cluster-8.4.19 PolarDB-X, Alibaba Cloud| POLARDB_X",
        "5.6.29-TDDL-5.4.12 Source distribution| POLARDB_X",
        "8.0.30-Vitess Version: 17.0.2| VITESS",
        "5.7.32 SingleStoreDB source distribution| SINGLESTORE",
        "8.0.33 Dolt| DOLT",
        "8.0.34-26.1 Percona XtraDB Cluster (GPL), Release rel26, WSREP version 26.1.4.3| GALERA",
        "8.0.39 MySQL Community Server - GPL with group replication| GROUP_REPLICATION",
        "CockroachDB CCL v23.2.4 (x86_64-pc-linux-gnu, built 2024/04/08)| COCKROACHDB",
        "PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu| YUGABYTEDB",
        "(openGauss 5.0.0 build a07d57c3) compiled at 2023-03-29| OPENGAUSS",
        "PostgreSQL 8.0.2 on i686-pc-linux-gnu, Redshift 1.0.54239| REDSHIFT",
        "PostgreSQL 12.12 (Greenplum Database 7.1.0 build commit:e7c2b1f)| GREENPLUM",
        "CrateDB 5.6.1 (built 0e3d2f2/NA)| CRATEDB",
        "PostgreSQL 16.3 on x86_64-pc-linux-gnu with spock| MULTI_MASTER",
        "PostgreSQL 15.14 (Debian 15.14-0+deb12u1) on x86_64-pc-linux-gnu, by gcc 12.2.0|",
        "8.0.39 MySQL Community Server - GPL|",
        "8.0.mysql_aurora.3.05.2 Source distribution|",
        "10.11.14-MariaDB-0+deb12u2 Debian 12|",
      })
  void serverIsKnownByItsWords(String words, OtherServer expected) {
    assertThat(OtherServer.of(words)).isEqualTo(expected);
  }

  /** Variables that a server lacks are left out. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "version_comment=Percona XtraDB Cluster (GPL), wsrep_provider=| GALERA",
        "version_comment=MySQL, wsrep_provider=/usr/lib/galera4/libgalera_smm.so| GALERA",
        "version_comment=MySQL, wsrep_provider=none|",
        "version_comment=MySQL, wsrep_provider=|",
        "version_comment=MySQL|",
        "version_comment=MariaDB, wsrep_on=ON, wsrep_provider=/usr/lib/libgalera_smm.so| GALERA",
        "version_comment=MariaDB, wsrep_on=ON, wsrep_provider=none|",
        "version_comment=MariaDB wsrep_26.22, wsrep_on=OFF, wsrep_provider=/usr/lib/libgalera_smm.so|",
        "group_replication_group_name=g, group_replication_single_primary_mode=OFF| GROUP_REPLICATION",
        "group_replication_group_name=g, group_replication_single_primary_mode=ON|",
        "group_replication_group_name=, group_replication_single_primary_mode=OFF|",
      })
  void clusterIsKnownByItsVariables(String variables, OtherServer expected) {
    Map<String, String> given =
        Stream.of(variables.split(", "))
            .map(variable -> variable.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));

    assertThat(OtherServer.of(MySqlSchemaSql.describe(given))).isEqualTo(expected);
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void serverThatSpeaksLikePostgresIsRefusedUnlessItIsAccepted() {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    DataSource plain = new ConnectionSource(database::connect);
    DataSource other = likeCockroach(database);

    assertThatThrownBy(() -> JdbcDatabase.open(other, CREATE))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("CockroachDB (\"CockroachDB CCL v23.2.4\") (expected: PostgreSQL, ")
        .hasMessageContaining("jdbc.accepted-server=cockroachdb");
    assertThatThrownBy(
            () -> JdbcDatabase.open(other, CREATE.acceptedServer(OtherServer.YUGABYTEDB)))
        .isInstanceOf(ConfigurationException.class);
    assertThat(
            EmptyDatabase.number(
                plain, "SELECT COUNT(*) FROM pg_tables WHERE tablename = 'outbox'"))
        .isZero();

    JdbcDatabase.open(other, CREATE.acceptedServer(OtherServer.COCKROACHDB));
    JdbcDatabase.open(plain, JdbcConfig.DEFAULTS);
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void inboxThereStartsWithAWarning() {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    DataSource other = likeCockroach(database);
    InboxConfig config = InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      JdbcInbox.open(other, config);
      JdbcInbox.open(new ConnectionSource(database::connect), config);
    } finally {
      System.setErr(before);
    }

    assertThat(log.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("The inbox's database is CockroachDB (\"CockroachDB CCL v23.2.4\")");
  }

  /** Says the words of another server on connections of this source. */
  private static DataSource likeCockroach(TestDatabase database) {
    EmptyDatabase.execute(
        new ConnectionSource(database::connect),
        """
        CREATE FUNCTION version() RETURNS TEXT LANGUAGE sql
        AS $$ SELECT 'CockroachDB CCL v23.2.4' $$
        """);
    return new ConnectionSource(
        () -> {
          Connection connection = database.connect();
          try (Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = public, pg_catalog");
          }
          return connection;
        });
  }

  @Test
  @RequiresMariaDb
  void serverThatSpeaksLikeMySqlIsRefused() {
    assertRefused(
        ServerOptions.standard().ownProcess().setting("version", "10.11.8-TiDB-v7.5.1"),
        OtherServer.TIDB);
  }

  /** A real node where the distribution has brought Galera with MariaDB, else one of its name. */
  @Test
  @RequiresMariaDb
  void nodeOfGaleraIsRefusedUnlessItIsAccepted() {
    ServerOptions own = ServerOptions.standard().ownProcess();
    assertRefused(
        Files.exists(GALERA)
            ? own.setting("wsrep-on", "ON")
                .setting("wsrep-provider", GALERA.toString())
                .setting("wsrep-cluster-address", "gcomm://")
                .setting("wsrep-node-address", "127.0.0.1")
                .setting("wsrep-provider-options", "gmcast.listen_addr=tcp://127.0.0.1:0")
                .setting("binlog-format", "ROW")
                .setting("innodb-autoinc-lock-mode", "2")
            : own.setting("version", "10.11.8-MariaDB-Galera"),
        OtherServer.GALERA);
  }

  private static void assertRefused(ServerOptions options, OtherServer other) {
    try (DatabaseServer server = DatabaseServer.start(Server.MARIADB, options)) {
      DataSource source = new ConnectionSource(server.freshDatabase()::connect);

      assertThatThrownBy(() -> JdbcDatabase.open(source, CREATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("database: " + other)
          .hasMessageContaining("jdbc.accepted-server=" + other.property());

      JdbcDatabase.open(source, CREATE.acceptedServer(other));
    }
  }
}
