package io.angarium.architecture.planted;

import java.sql.Connection;
import org.slf4j.Logger;

final class Database {
  private Database() {}

  static final class InCore {
    static Class<?> connection() {
      return Connection.class;
    }

    static void use(Connection connection, Logger logger) {
      logger.info("{}", connection);
    }
  }

  static final class OtherModule {
    static int use(InCore store) {
      return store.hashCode();
    }
  }

  static final class Plain {
    static void use(Logger logger, String[] texts, int[][] numbers) {
      logger.info("{} {}", texts, numbers);
    }
  }
}
