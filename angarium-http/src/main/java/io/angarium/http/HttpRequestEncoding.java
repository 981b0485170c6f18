package io.angarium.http;

import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.TypedPayloads;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.internal.client.Ending;
import io.angarium.http.internal.client.Target;
import io.angarium.http.internal.url.PercentEncoding;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes requests as {@link HttpWireFormat} says. Immutable. */
final class HttpRequestEncoding implements PostForm {
  /** Maximum bytes of an answer that are kept for the reason of a failure. */
  private static final int REASON_BYTES_MAX = 1_024;

  private static final String USER_AGENT = "user-agent";
  private static final String PRODUCT = "Angarium";
  private static final String LIST_SEPARATORS = ",=";
  private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7E]+(?: [\\x21-\\x7E]+)*");

  private final String source;
  private final String type;
  private final String contentType;

  HttpRequestEncoding(HttpConfig config) {
    this.source = config.source();
    this.type = config.type();
    this.contentType = config.contentType();
  }

  @Override
  public String transport() {
    return "http";
  }

  @Override
  public int keptBytesMax() {
    return REASON_BYTES_MAX;
  }

  @Override
  public SendResult judged(SendResult result, Target target, Ending ending) {
    return result;
  }

  @Override
  public HttpRequest post(StoredMessage stored, Target target, Instant now) {
    Message message = stored.message();
    HttpRequest.Builder request = to(target).POST(BodyPublishers.ofByteArray(message.payload()));
    target.headers().forEach(request::setHeader);
    addAttributes(request, stored);
    addHeaders(request, message);
    target
        .signature()
        .ifPresent(
            signature -> signature.addTo(request, stored.id().toString(), now, message.payload()));
    return request.build();
  }

  /** The request that only asks whether anybody is there. */
  static HttpRequest options(Target target) {
    return to(target).method("OPTIONS", BodyPublishers.noBody()).build();
  }

  /** HTTP/2 where it can be agreed on in the handshake of TLS; old servers stumble over asking. */
  private static HttpRequest.Builder to(Target target) {
    Version version = target.url().isSecure() ? Version.HTTP_2 : Version.HTTP_1_1;
    return HttpRequest.newBuilder(target.url().uri())
        .version(version)
        .setHeader(USER_AGENT, PRODUCT);
  }

  private void addAttributes(HttpRequest.Builder request, StoredMessage stored) {
    Message message = stored.message();
    String ownType = message.type();
    request
        .setHeader(HttpWireFormat.ID, stored.id().toString())
        .setHeader(HttpWireFormat.SPEC_VERSION, "1.0")
        .setHeader(HttpWireFormat.TIME, stored.writtenAt().toString());
    set(request, HttpWireFormat.SOURCE, source);
    set(request, HttpWireFormat.TYPE, ownType == null || ownType.isEmpty() ? type : ownType);
    String key = message.key();
    if (key != null && !key.isEmpty()) {
      set(request, HttpWireFormat.KEY, key);
    }
    BusinessKey business = message.business();
    if (business != null) {
      set(request, HttpWireFormat.BUSINESS_TYPE, business.type());
      set(request, HttpWireFormat.BUSINESS_KEY, business.key());
    }
  }

  private static void set(HttpRequest.Builder request, String name, String text) {
    request.setHeader(name, PercentEncoding.encode(text));
  }

  private void addHeaders(HttpRequest.Builder request, Message message) {
    request.setHeader(HttpWireFormat.CONTENT_TYPE, contentType);
    List<String> list = new ArrayList<>();
    for (Map.Entry<String, String> header : message.headers().asMap().entrySet()) {
      String name = header.getKey();
      String value = header.getValue();
      if (name.toLowerCase(Locale.ROOT).equals(HttpWireFormat.CONTENT_TYPE)) {
        request.setHeader(HttpWireFormat.CONTENT_TYPE, checkedContentType(value));
      } else if (isPlain(name, value)) {
        request.setHeader(name, value);
      } else if (isAttribute(name, value)) {
        set(request, HttpWireFormat.ATTRIBUTE_PREFIX + name, value);
      } else {
        list.add(listed(name) + "=" + listed(value));
      }
    }
    if (!list.isEmpty()) {
      request.setHeader(HttpWireFormat.HEADERS, String.join(",", list));
    }
  }

  private static boolean isPlain(String name, String value) {
    return HttpWireFormat.TRACE_HEADERS.contains(name) && PRINTABLE.matcher(value).matches();
  }

  private static boolean isAttribute(String name, String value) {
    return HttpWireFormat.isFree(name)
        && !value.isEmpty()
        && !HttpWireFormat.TRACE_HEADERS.contains(name);
  }

  private static String listed(String text) {
    return PercentEncoding.encode(text, LIST_SEPARATORS);
  }

  private static String checkedContentType(String value) {
    if (!TypedPayloads.isContentType(value)) {
      throw new IllegalArgumentException(
          "header content-type: '" + PrintableExcerpt.of(value) + "' (expected: type/subtype)");
    }
    return value;
  }
}
