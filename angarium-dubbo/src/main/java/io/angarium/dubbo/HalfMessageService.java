package io.angarium.dubbo;

import java.util.List;
import java.util.Map;

/**
 * Half messages over Dubbo, with everything that {@link io.angarium.half.HalfMessages} can express:
 * headers, states, refusals, many calls in one. Lists, maps, texts and bytes alone travel, so that
 * it can be called generically, without this interface. {@link DubboHalfMessages} is a client.
 *
 * <p>A call has the fields of the JSON form of the server's HTTP:
 *
 * <pre>{@code
 * {step=prepare, business=order-paid, key=4711, destination=kafka:orders, text={"paid":true}}
 * {step=commit, business=order-paid, key=4710}
 * }</pre>
 *
 * A prepare may have {@code messageKey}, {@code type}, {@code headers} (a map of texts), {@code
 * businessType} and {@code businessKey}, {@code createdBy}, {@code delay}, {@code notBefore} and
 * {@code checkBack} besides, and its payload as {@code text}, or as {@code payload}: bytes, or a
 * text in Base64. A decision may have {@code whenUnknown=remember}. All other values are texts; a
 * field that is not one of these is a fault.
 *
 * <p>A request that cannot be taken is answered with a problem, {@code {code=…, detail=…,
 * calls=[…]}}: a code below, what is wrong, and the numbers of the calls that are at fault, none if
 * all are. An API key, or a token in its place, travels as the attachment {@value #API_KEY}.
 * Thread-safe.
 */
public interface HalfMessageService {
  /** The version under which it is offered. */
  String VERSION = "1.0.0";

  /** The attachment with the API key or token; Dubbo drops what is named as a header of HTTP. */
  String API_KEY = "angarium-api-key";

  /** The most calls or keys in a request. */
  int CALLS_MAX = 500;

  /** The request is wrong; nothing took effect. */
  String INVALID = "INVALID";

  /** More than a limit allows; nothing took effect. */
  String TOO_LARGE = "TOO_LARGE";

  /** No API key or token, or one that the server refuses; nothing took effect. */
  String UNAUTHENTICATED = "UNAUTHENTICATED";

  /** The caller may not do this; nothing took effect. */
  String NOT_PERMITTED = "NOT_PERMITTED";

  /** Above the rate of the caller; nothing took effect. */
  String TOO_MANY = "TOO_MANY";

  /** The issuer of the token cannot be asked for its keys; nothing took effect. */
  String ISSUER_AWAY = "ISSUER_AWAY";

  /**
   * The database refused, or cannot be reached; whether it took effect is unknown. Calls that were
   * refused together may be taken one by one.
   */
  String STORE_FAILED = "STORE_FAILED";

  /** A defect; whether it took effect is unknown. */
  String FAILED = "FAILED";

  /**
   * Makes calls; if one of them is wrong or not permitted, none takes effect. Blocks.
   *
   * @param calls {@link #CALLS_MAX} at most
   * @return {@code {answers=[{state=…}, {state=…, refusal=…}]}}, one for each in their order, by
   *     the names of {@link io.angarium.half.HalfState} and {@link io.angarium.half.Refusal}; or a
   *     problem
   */
  Map<String, Object> callAll(List<Map<String, Object>> calls);

  /**
   * Tells what half messages have come to. Blocks.
   *
   * @param keys each as {@code {business=…, key=…}}, {@link #CALLS_MAX} at most
   * @return {@code {states=[…]}}, one for each in their order; or a problem
   */
  Map<String, Object> states(List<Map<String, Object>> keys);
}
