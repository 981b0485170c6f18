package io.angarium.jdbc.settings;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server that speaks the protocol of MySQL or PostgreSQL and is another one, or a cluster with
 * several writers. What the outbox promises rests on how MySQL, MariaDB and PostgreSQL give out
 * numbers, show transactions that are open, and lock; it was proved on those and on H2 only. An
 * outbox that meets one of these does not start, unless {@link JdbcConfig#acceptedServer} names it.
 * An inbox rests on unique keys and row locks alone; it starts and logs a warning.
 */
public enum OtherServer {
  /** Gives out numbers from a range of each of its nodes, so that they do not follow commits. */
  TIDB("TiDB", "tidb"),
  /** Distributed, with a MySQL mode. */
  OCEANBASE("OceanBase", "oceanbase"),
  /** Distributed; each shard has numbers of its own. */
  POLARDB_X("PolarDB-X", "polardb-x|polardbx|tddl"),
  /** A proxy before many servers of MySQL. */
  VITESS("Vitess", "vitess|planetscale"),
  /** Distributed, with tables in memory. */
  SINGLESTORE("SingleStore", "singlestore|memsql"),
  /** A store with branches. */
  DOLT("Dolt", "dolt"),
  /** Numbers do not follow the order of commits, and transactions cannot be looked at. */
  COCKROACHDB("CockroachDB", "cockroach"),
  /** PostgreSQL's code above a distributed store; sequences have a cache on each node. */
  YUGABYTEDB("YugabyteDB", "yugabyte|-yb-"),
  /** A branch of PostgreSQL 9.2; GaussDB as well. */
  OPENGAUSS("openGauss", "opengauss|gaussdb"),
  /** A warehouse. */
  REDSHIFT("Redshift", "redshift"),
  /** A warehouse. */
  GREENPLUM("Greenplum", "greenplum"),
  /** Has no transactions. */
  CRATEDB("CrateDB", "cratedb"),
  /**
   * MariaDB or MySQL whose nodes all write: a relay sees open transactions of its own node only.
   */
  GALERA("Galera, several writers", "galera|xtradb cluster"),
  /** MySQL whose members all write, as with Galera. */
  GROUP_REPLICATION("Group replication with several primaries", "group replication"),
  /** PostgreSQL with BDR, pgactive or Spock, whose nodes all write, as with Galera. */
  MULTI_MASTER("PostgreSQL with several writers", "\\b(bdr|pgactive|spock)\\b");

  private final String title;
  private final Pattern signs;

  OtherServer(String title, String signs) {
    this.title = title;
    this.signs = Pattern.compile(signs, Pattern.CASE_INSENSITIVE);
  }

  /**
   * Finds the one that a server's words about itself name.
   *
   * @return null if they name none
   */
  public static @Nullable OtherServer of(String words) {
    for (OtherServer other : values()) {
      if (other.signs.matcher(words).find()) {
        return other;
      }
    }
    return null;
  }

  /** How the property names it. */
  public String property() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Its name as its makers write it. */
  @Override
  public String toString() {
    return title;
  }
}
