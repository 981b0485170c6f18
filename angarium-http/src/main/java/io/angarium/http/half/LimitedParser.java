package io.angarium.http.half;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import io.angarium.InvalidMessageException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A parser that takes so many tokens and no more: each can cost far more memory than its bytes, as
 * names are kept to find repeated ones. Jackson itself limits them since 2.18 only. Not
 * thread-safe: one thread at a time.
 */
final class LimitedParser extends JsonParserDelegate {
  /** 500 calls with 90 headers each have as many. */
  static final int TOKENS_MAX = 100_000;

  private int tokens;

  LimitedParser(JsonParser json) {
    super(json);
  }

  @Override
  public @Nullable JsonToken nextToken() throws IOException {
    if (++tokens > TOKENS_MAX) {
      throw new InvalidMessageException(
          "body: more than %d names, values and brackets (expected: at most that; make fewer calls at a time)"
              .formatted(TOKENS_MAX));
    }
    return super.nextToken();
  }

  @Override
  public @Nullable JsonToken nextValue() throws IOException {
    JsonToken token = nextToken();
    return token == JsonToken.FIELD_NAME ? nextToken() : token;
  }

  @Override
  public @Nullable String nextFieldName() throws IOException {
    return nextToken() == JsonToken.FIELD_NAME ? currentName() : null;
  }

  @Override
  public @Nullable String nextTextValue() throws IOException {
    return nextToken() == JsonToken.VALUE_STRING ? getText() : null;
  }

  @Override
  public JsonParser skipChildren() throws IOException {
    JsonToken begun = currentToken();
    int open = begun != null && begun.isStructStart() ? 1 : 0;
    while (open > 0) {
      JsonToken token = nextToken();
      if (token == null) {
        throw new InvalidMessageException("body: ends within an object or array");
      }
      open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
    }
    return this;
  }
}
