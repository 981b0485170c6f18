package io.angarium.console.internal.payload;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A payload as a person sees it. Immutable.
 *
 * @param view how the text is to be read
 * @param from where the text begins: in characters of the whole view, for hex in bytes
 * @param next where the next part begins; null at the end
 * @param text null where nothing but the size may be told
 * @param sha256 of the whole payload; null if it is larger than what is read at once
 * @param maskedFields names of JSON fields whose values are masked
 */
public record PayloadView(
    View view,
    long from,
    @Nullable Long next,
    @Nullable String text,
    @Nullable String sha256,
    List<String> maskedFields) {
  /** Characters or bytes that one view shows. */
  public static final int PART_MAX = 64 << 10;

  private static final JsonText JSON = new JsonText();

  /** How a payload is shown. */
  public enum View {
    /** Whatever fits the payload. */
    AUTO,
    /** Indented JSON. */
    JSON,
    /** Plain text. */
    TEXT,
    /** Hexadecimal digits. */
    HEX,
    /** Not at all, as it is neither JSON nor text, and not revealed. */
    BINARY
  }

  /**
   * Shows a payload.
   *
   * @param payload the first bytes of it
   * @param size of the whole payload; JSON is recognized only if all of it is given
   * @param wanted another view is taken if it is not possible
   * @param from where to begin, the {@code next} of the part before or 0
   * @param reveal whether values may be shown that are masked otherwise
   */
  public static PayloadView of(
      byte[] payload, long size, View wanted, long from, Masking masking, boolean reveal) {
    boolean whole = payload.length == size;
    String sha256 = whole ? sha256(payload) : null;
    if (wanted == View.HEX && reveal) {
      return hex(payload, size, from, sha256);
    }
    Optional<JsonText.Shown> json = whole ? JSON.of(payload, masking, reveal) : Optional.empty();
    if (json.isPresent() && (wanted != View.TEXT || !reveal)) {
      return part(View.JSON, json.get().text(), from, sha256, List.copyOf(json.get().masked()));
    }
    Optional<String> text = whole || reveal ? text(payload, whole) : Optional.empty();
    if (text.isPresent()) {
      return part(View.TEXT, text.get(), from, sha256, List.of());
    }
    return reveal
        ? hex(payload, size, from, sha256)
        : new PayloadView(View.BINARY, 0, null, null, sha256, List.of());
  }

  private static PayloadView part(
      View view, String all, long from, @Nullable String sha256, List<String> masked) {
    int begin = (int) Math.min(from, all.length());
    int end = Math.min(all.length(), begin + PART_MAX);
    if (end < all.length() && Character.isHighSurrogate(all.charAt(end - 1))) {
      end--;
    }
    return new PayloadView(
        view,
        begin,
        end < all.length() ? Long.valueOf(end) : null,
        all.substring(begin, end),
        sha256,
        masked);
  }

  private static PayloadView hex(byte[] payload, long size, long from, @Nullable String sha256) {
    int begin = (int) Math.min(from, payload.length);
    int end = Math.min(payload.length, begin + PART_MAX);
    return new PayloadView(
        View.HEX,
        begin,
        end < size && end < payload.length ? Long.valueOf(end) : null,
        HexFormat.of().formatHex(payload, begin, end),
        sha256,
        List.of());
  }

  /** UTF-8 without control characters but white space; a part may end within a character. */
  private static Optional<String> text(byte[] payload, boolean whole) {
    try {
      String text =
          whole
              ? StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString()
              : new String(payload, StandardCharsets.UTF_8);
      boolean readable =
          text.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t');
      return readable ? Optional.of(text) : Optional.empty();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static String sha256(byte[] payload) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(payload));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
