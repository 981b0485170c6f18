package io.angarium.jdbc.internal.sql;

import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement and its parameters, ready to run. Immutable.
 *
 * @param text with a question mark per parameter
 * @param parameters in the order of the question marks; an {@link ArrayValue} is bound as SQL array
 */
public record Sql(String text, List<@Nullable Object> parameters) {
  /** Drivers differ above this size; all of them stream. */
  private static final int STREAM_FROM = 1 << 20;

  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  /** Numbers and digits in JSON. */
  private static final Pattern PLAIN = Pattern.compile("[0-9A-Za-z\\[\\]\",-]*");

  /** Elements of one SQL type, in the database's spelling. */
  public record ArrayValue(String type, List<@Nullable Object> elements) {
    // drivers send arrays of a Java type of their own in less time and space
    @Nullable Object[] typed() {
      return switch (type) {
        case "int2" -> elements.toArray(Short[]::new);
        case "int4" -> elements.toArray(Integer[]::new);
        case "int8" -> elements.toArray(Long[]::new);
        case "bool" -> elements.toArray(Boolean[]::new);
        case "text" -> elements.toArray(String[]::new);
        case "bytea" -> elements.toArray(byte[][]::new);
        default -> elements.toArray();
      };
    }
  }

  public static Sql of(String text, @Nullable Object... parameters) {
    return new Sql(text, Arrays.asList(parameters));
  }

  /** Prepares and binds. The caller closes the statement. */
  public PreparedStatement prepare(Connection connection) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    try {
      bind(statement);
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  public void bind(PreparedStatement statement) throws SQLException {
    for (int i = 0; i < parameters.size(); i++) {
      bind(statement, i + 1, parameters.get(i));
    }
  }

  /** True if so many bytes are not sent as they are, but streamed. */
  public static boolean streams(byte[] bytes) {
    return bytes.length > STREAM_FROM;
  }

  public static void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value instanceof ArrayValue array) {
      statement.setArray(
          index, statement.getConnection().createArrayOf(array.type(), array.typed()));
    } else if (value instanceof byte[] bytes && streams(bytes)) {
      statement.setBinaryStream(index, new ByteArrayInputStream(bytes), bytes.length);
    } else {
      bindPlain(statement, index, value);
    }
  }

  /** By type where that is known: drivers search long for what an object is. */
  private static void bindPlain(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value instanceof String text) {
      statement.setString(index, text);
    } else if (value instanceof Long number) {
      statement.setLong(index, number);
    } else if (value instanceof Integer number) {
      statement.setInt(index, number);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(index, bytes);
    } else if (value instanceof LocalDateTime time) {
      statement.setString(index, MICROSECONDS.format(time)); // some drivers drop fractions
    } else {
      statement.setObject(index, value);
    }
  }

  /** Runs it and returns how many rows it returned or changed. */
  public int run(Connection connection) throws SQLException {
    try (PreparedStatement statement = prepare(connection)) {
      if (!statement.execute()) {
        return statement.getUpdateCount();
      }
      int rows = 0;
      try (var result = statement.getResultSet()) {
        while (result.next()) {
          rows++;
        }
      }
      return rows;
    }
  }

  /** Runs a statement that returns no rows and gives how many it changed. */
  public int update(Connection connection) throws SQLException {
    try (PreparedStatement statement = prepare(connection)) {
      // not execute(): when the connection is cut in it, Connector/J's close() fails as well
      return statement.executeUpdate();
    }
  }

  /**
   * Runs statements of one text together.
   *
   * @param statements at least one
   */
  public static int batch(Connection connection, List<Sql> statements) throws SQLException {
    try (PreparedStatement batch = connection.prepareStatement(statements.get(0).text())) {
      for (Sql one : statements) {
        one.bind(batch);
        batch.addBatch();
      }
      return batch.executeBatch().length;
    }
  }

  /** Runs it and reads each row. */
  public <T> List<T> query(Connection connection, RowReader<T> reader) throws SQLException {
    try (PreparedStatement statement = prepare(connection);
        var result = statement.executeQuery()) {
      List<T> rows = new java.util.ArrayList<>();
      while (result.next()) {
        rows.add(reader.read(result));
      }
      return rows;
    }
  }

  /** Runs it and shows each row. */
  public void forEach(Connection connection, RowVisitor visitor) throws SQLException {
    try (PreparedStatement statement = prepare(connection);
        var result = statement.executeQuery()) {
      while (result.next()) {
        visitor.visit(result);
      }
    }
  }

  /**
   * Runs the statement like {@link #query}, for a statement that writes and returns rows, which not
   * every driver expects.
   */
  public <T> List<T> queryWriting(Connection connection, RowReader<T> reader) throws SQLException {
    try (PreparedStatement statement = prepare(connection)) {
      List<T> rows = new java.util.ArrayList<>();
      if (statement.execute()) {
        try (var result = statement.getResultSet()) {
          while (result.next()) {
            rows.add(reader.read(result));
          }
        }
      }
      return rows;
    }
  }

  /**
   * Runs the statement like {@link #queryWriting}, for a statement without parameters. It is not
   * prepared, and so the rows come as text.
   */
  public <T> List<T> queryPlain(Connection connection, RowReader<T> reader) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      List<T> rows = new java.util.ArrayList<>();
      if (statement.execute(text)) {
        try (var result = statement.getResultSet()) {
          while (result.next()) {
            rows.add(reader.read(result));
          }
        }
      }
      return rows;
    }
  }

  /**
   * The same statement with its values in the text, as MySQL and MariaDB write them.
   *
   * @throws IllegalArgumentException if a value is of another type than number, bytes or text, or a
   *     text that would need escapes between quotes
   */
  public Sql withLiterals() {
    String[] parts = text.split("\\?", -1);
    StringBuilder literal = new StringBuilder(parts[0]);
    for (int i = 0; i < parameters.size(); i++) {
      literal.append(literal(parameters.get(i))).append(parts[i + 1]);
    }
    return Sql.of(literal.toString());
  }

  private static String literal(@Nullable Object value) {
    if (value instanceof Long || value instanceof Integer) {
      return value.toString();
    }
    if (value instanceof byte[] bytes && bytes.length > 0) {
      return "0x" + HexFormat.of().formatHex(bytes);
    }
    if (value instanceof String given && PLAIN.matcher(given).matches()) {
      return "'" + given + "'";
    }
    throw new IllegalArgumentException("A value that has no literal: " + value);
  }

  /** Looks at the current row. */
  @FunctionalInterface
  public interface RowVisitor {
    void visit(java.sql.ResultSet row) throws SQLException;
  }

  /** Turns the current row into a value. */
  @FunctionalInterface
  public interface RowReader<T> {
    T read(java.sql.ResultSet row) throws SQLException;
  }
}
