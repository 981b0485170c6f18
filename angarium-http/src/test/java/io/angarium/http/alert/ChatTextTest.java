package io.angarium.http.alert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.angarium.alert.Notice;
import io.angarium.alert.Notices;
import io.angarium.http.alert.AlertReceiver.Posted;
import io.angarium.http.alert.HttpAlertConfig.Kind;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile texts, and texts that are too long. */
class ChatTextTest {
  private static final String HOSTILE =
      "<!channel> @all @channel <at user_id=\"all\"></at> [pay](http://evil.example) ![i](x:y)"
          + " **b** _i_ ~s~ `c` &#64;all <http://evil.example|ok> a_b\n# head\u2028> quote\u202e";

  private static String content(Kind kind, Notices notices) throws IOException {
    try (AlertReceiver receiver = new AlertReceiver().answers(200, "{\"errcode\":0,\"code\":0}")) {
      HttpAlertConfig config = HttpAlertConfig.of("ops", kind, receiver.url("/"));
      try (HttpAlertChannel channel = new HttpAlertChannel(config)) {
        channel.send(notices);
      }
      Posted posted = receiver.posted().get(0);
      assertThat(last(posted.body(), "title")).doesNotContain("@", "[", "<", "://");
      return last(posted.body(), kind == Kind.WECOM ? "content" : "text");
    }
  }

  /** The last text that is the value of a field. */
  private static String last(String body, String field) throws IOException {
    String found = "";
    try (JsonParser json = new JsonFactory().createParser(body)) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.VALUE_STRING && json.currentName().equals(field)) {
          found = json.getText();
        }
      }
    }
    return found;
  }

  private static Notices notices(String subject, String text, String link) {
    Notice notice = AlertSamples.notice(Notice.Kind.FIRING, subject, text);
    return new Notices(HOSTILE, List.of(notice), 0, link);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"SLACK", "DINGTALK", "FEISHU", "WECOM"})
  void nothingHostileIsLeft(Kind kind) throws IOException {
    String content = content(kind, notices(HOSTILE, HOSTILE, null));

    assertThat(content)
        .doesNotContain("<", ">", "@", "[", "]", "*", "`", "~", "://", " _i", "#", "\u202e")
        .contains("a_b", "\uff20all");
    assertThat(content.lines())
        .allMatch(line -> line.matches("(?:CRITICAL|What:|Since:|Meaning:) .*"));
    if (kind == Kind.SLACK) {
      assertThat(content).contains("&lt;!channel&gt;", "&amp;");
    } else {
      assertThat(content).doesNotContain("&");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "javascript:alert(1)",
        "https://c.example/\n@all",
        "https://c.example/ @all",
        "nolink"
      })
  void linkThatIsNoneIsLeftOut(String link) throws IOException {
    assertThat(content(Kind.DINGTALK, notices("a", "b", link))).doesNotContain("[", link);
  }

  @Test
  void linkCannotEndItsMarkup() throws IOException {
    assertThat(content(Kind.DINGTALK, notices("a", "b", "https://c.example/a)b(<c>")))
        .endsWith(
            "\n\n[Link](https://c.example/a%29b%28%3Cc%3E?page=alerts&rule=dead-letters&subject=a)");
  }

  @Test
  void labelsOfAlertmanagerMentionNobodyAndStayNames() {
    assertThat(ChatText.label("http:https://a.example/x_*\n<!here> @all"))
        .isEqualTo("http:https://a.example/x_*?\uff1c!here\uff1e \uff20all");
  }

  @Test
  void weComIsCutAtALineEndWithinItsBytes() throws IOException {
    Notice[] many =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    AlertSamples.notice(
                        Notice.Kind.FIRING, "\u8ba2\u5355" + i, "\u6b7b\u4fe1\u00e9\ud83d\ude00"))
            .toArray(Notice[]::new);

    String content = content(Kind.WECOM, AlertSamples.of(many));

    assertThat(content.getBytes(UTF_8).length).isBetween(1_900, 2_048);
    assertThat(content).endsWith("\n" + ChatText.CUT + "\n\nLink: " + AlertSamples.LINK);
    String whole = content(Kind.FEISHU, AlertSamples.of(many));
    String kept = content.substring(0, content.indexOf("\n" + ChatText.CUT));
    assertThat(whole).startsWith(kept + "\n");
    assertThat(whole).doesNotContain(ChatText.CUT);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "2", "3"})
  void longLineIsCutBetweenCharacters(int shift) throws IOException {
    String text = "x".repeat(shift) + "\ud83d\ude00".repeat(499 - shift);

    String content = content(Kind.WECOM, notices("a", text, AlertSamples.LINK));
    String long4 = content(Kind.WECOM, notices("a", "\u6b7b".repeat(1_000), AlertSamples.LINK));

    assertThat(content.getBytes(UTF_8).length).isLessThanOrEqualTo(2_048);
    assertThat(long4.getBytes(UTF_8).length).isBetween(2_040, 2_048);
    assertThat(new String(content.getBytes(UTF_8), UTF_8)).isEqualTo(content);
    assertThat(long4).doesNotContain("\ufffd").contains("\u6b7b\n" + ChatText.CUT);
  }

  @Test
  void cutKeepsWhatFitsExactly() {
    assertThat(ChatText.cut("ab\ncd", "!", 6)).isEqualTo("ab\ncd!");
    String text = "a".repeat(30) + "\n" + "b".repeat(40);
    String mark = "\n" + ChatText.CUT;
    assertThat(ChatText.cut(text, "", 30 + mark.length())).isEqualTo("a".repeat(30) + mark);
    assertThat(ChatText.cut(text, "e".repeat(60), 80)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"SLACK,4000", "DINGTALK,18200", "FEISHU,18000"})
  void longTextsFitEachChat(Kind kind, int bytesMax) throws IOException {
    Notice[] many =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    AlertSamples.notice(
                        Notice.Kind.FIRING, "\u8ba2".repeat(300), "\u6b7b".repeat(1_000)))
            .toArray(Notice[]::new);

    String content = content(kind, AlertSamples.of(many));

    assertThat(content.getBytes(UTF_8).length).isBetween(bytesMax / 2, bytesMax);
    assertThat(content).contains(ChatText.CUT).contains("https://console.example/alerts");
  }
}
