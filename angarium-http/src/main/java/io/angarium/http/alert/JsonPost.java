package io.angarium.http.alert;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;

/** Requests with a body of JSON. */
final class JsonPost {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonPost() {}

  /** Writes one value. */
  interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  /** The fields of one object as UTF-8. */
  static byte[] object(Content fields) {
    return value(
        json -> {
          json.writeStartObject();
          fields.write(json);
          json.writeEndObject();
        });
  }

  /** One value as UTF-8. */
  static byte[] value(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      content.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never, in memory
    }
    return bytes.toByteArray();
  }

  static HttpRequest.Builder to(URI uri, byte[] body) {
    return HttpRequest.newBuilder(uri)
        .version(Version.HTTP_1_1)
        .POST(BodyPublishers.ofByteArray(body))
        .setHeader("user-agent", "Angarium")
        .setHeader("content-type", "application/json; charset=utf-8");
  }
}
