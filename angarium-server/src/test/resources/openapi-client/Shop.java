import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DefaultApi;
import org.openapitools.client.model.Call;
import org.openapitools.client.model.Calls;

/** A producer with a client that was generated from openapi.json; takes the server and a hook. */
public final class Shop {
  private Shop() {}

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    DefaultApi api = new DefaultApi(client);
    String destination = "http:" + arguments[1];

    String key = "order/1 \u00e4";
    Map<String, Object> order = Map.of("name", "s\u00fcd \u20ac");
    say(
        api.prepare(
                "shop", key, destination, "1", "order-paid", null, null, null, null, null, null,
                null, order)
            .getState());
    say(api.commit("shop", key, null).getState());
    say(api.state("shop", "never").getState());

    Call prepare =
        new Call()
            .step(Call.StepEnum.PREPARE)
            .business("shop")
            .key("bytes")
            .destination(destination)
            .payload("AP8B");
    Call commit = new Call().step(Call.StepEnum.COMMIT).business("shop").key("bytes");
    say(api.batch(new Calls().calls(List.of(prepare, commit))).getAnswers().size());

    try {
      api.commit("shop", "never", null);
    } catch (ApiException e) {
      say(e.getCode() + " " + e.getResponseBody().contains("\"code\":\"UNKNOWN\""));
    }
  }

  private static void say(Object answer) {
    System.out.println("> " + answer);
  }
}
