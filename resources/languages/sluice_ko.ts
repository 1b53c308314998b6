<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ko" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>Text fields</source>
        <translation>글을 입력하는 곳 어디서나</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>프롬프트</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>대화창</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>세션</translation>
    </message>
    <message>
        <source>Speed graph</source>
        <translation>속도 그래프</translation>
    </message>
    <message>
        <source>Exact prompt</source>
        <translation>실제 프롬프트</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>검사기</translation>
    </message>
    <message>
        <source>Lists and tables</source>
        <translation>목록과 표</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>실행 목록</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>실험</translation>
    </message>
    <message>
        <source>Sheets and other windows</source>
        <translation>시트와 그 밖의 창</translation>
    </message>
    <message>
        <source>Copy, cut, paste</source>
        <translation>복사, 잘라내기, 붙여넣기</translation>
    </message>
    <message>
        <source>Undo and redo typing</source>
        <translation>입력 실행 취소와 다시 실행</translation>
    </message>
    <message>
        <source>Select everything</source>
        <translation>모두 선택</translation>
    </message>
    <message>
        <source>Move by large steps</source>
        <translation>크게 이동</translation>
    </message>
    <message>
        <source>Delete by large steps</source>
        <translation>크게 삭제</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>보내기</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>줄 바꿈</translation>
    </message>
    <message>
        <source>Cancel an edit</source>
        <translation>고치기를 그만두고 그대로 두기</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>끝으로 이동</translation>
    </message>
    <message>
        <source>Next or previous token, in the view Tokens</source>
        <translation>토큰 보기에서 토큰 사이 이동</translation>
    </message>
    <message>
        <source>First and last token of the line, in the view Tokens</source>
        <translation>토큰 보기에서 줄의 첫 토큰과 마지막 토큰</translation>
    </message>
    <message>
        <source>Open the session</source>
        <translation>세션 열기</translation>
    </message>
    <message>
        <source>Rename the session</source>
        <translation>이름 바꾸기</translation>
    </message>
    <message>
        <source>Pin or unpin the session</source>
        <translation>고정 또는 고정 해제</translation>
    </message>
    <message>
        <source>Duplicate the session</source>
        <translation>복제</translation>
    </message>
    <message>
        <source>Delete the session</source>
        <translation>삭제</translation>
    </message>
    <message>
        <source>Restore the deleted session</source>
        <translation>삭제한 항목 되살리기</translation>
    </message>
    <message>
        <source>Go from the search to its results</source>
        <translation>검색에서 결과로 이동</translation>
    </message>
    <message>
        <source>Close the search, or cancel renaming</source>
        <translation>검색을 나가거나 제목을 그대로 두기</translation>
    </message>
    <message>
        <source>Next or previous token</source>
        <translation>한 토큰 앞뒤로</translation>
    </message>
    <message>
        <source>Ten tokens forward or back</source>
        <translation>열 토큰 앞뒤로</translation>
    </message>
    <message>
        <source>First and last token</source>
        <translation>첫 토큰과 마지막 토큰</translation>
    </message>
    <message>
        <source>Show the token in the text</source>
        <translation>글에서 토큰 보기</translation>
    </message>
    <message>
        <source>Clear the selected range</source>
        <translation>선택한 구간 해제</translation>
    </message>
    <message>
        <source>Continue from this token with another one</source>
        <translation>여기서 다른 토큰으로 이어 가기</translation>
    </message>
    <message>
        <source>Next or previous cell of a plot</source>
        <translation>그림의 칸에서 칸으로</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>실행 필터링</translation>
    </message>
    <message>
        <source>Copy the selected rows</source>
        <translation>선택한 행 복사</translation>
    </message>
    <message>
        <source>Next or previous token of a comparison</source>
        <translation>비교의 다음 또는 이전 토큰</translation>
    </message>
    <message>
        <source>Stop the experiment, or close the window</source>
        <translation>실험을 중지하거나 창 나가기</translation>
    </message>
    <message>
        <source>Copy the selected cells of a table</source>
        <translation>표에서 선택한 칸 복사</translation>
    </message>
    <message>
        <source>Compare two answers: left is better, equal, right is better</source>
        <translation>두 답 고르기: 왼쪽이 낫다, 비슷하다, 오른쪽이 낫다</translation>
    </message>
    <message>
        <source>Menu bar</source>
        <translation>메뉴 막대</translation>
    </message>
    <message>
        <source>Find in the page</source>
        <translation>문서에서 찾기</translation>
    </message>
    <message>
        <source>Choose the item under the cursor</source>
        <translation>커서가 있는 항목 선택</translation>
    </message>
    <message>
        <source>Move in the list while typing a filter</source>
        <translation>필터를 입력하며 이동</translation>
    </message>
    <message>
        <source>Close a question, cancel a name, or close the window</source>
        <translation>질문이나 입력 중인 이름, 창에서 나가기</translation>
    </message>
    <message>
        <source>Typing needs this key. Hold ⌘, ⌥ or ⌃ with it, or use a function key.</source>
        <translation>글을 입력할 때 필요한 키입니다. ⌘, ⌥ 또는 ⌃와 함께 누르거나 기능 키를 쓰세요.</translation>
    </message>
    <message>
        <source>Typing needs this key. Hold Ctrl, Alt or Meta with it, or use a function key.</source>
        <translation>글을 입력할 때 필요한 키입니다. Ctrl, Alt 또는 Meta와 함께 누르거나 기능 키를 쓰세요.</translation>
    </message>
    <message>
        <source>{key} is the shortcut of “{action}”. Use another key, or change that shortcut first.</source>
        <translation>{key} 키는 이미 “{action}”에서 쓰고 있습니다. 다른 키를 쓰거나 그 키를 먼저 바꾸세요.</translation>
    </message>
    <message>
        <source>{key} is “{what}” ({where}), which can&apos;t be changed.</source>
        <extracomment>The key Ctrl+C is “Copy, cut, paste” (Text fields), which can&apos;t be changed.</extracomment>
        <translation>{key} 키는 “{what}”({where})에 쓰이며 바꿀 수 없습니다.</translation>
    </message>
    <message>
        <source>{one} or {other}</source>
        <extracomment>Two keys of the same action.</extracomment>
        <translation>{one} 또는 {other}</translation>
    </message>
    <message>
        <source>Start an empty session; the previous one stays in the list.</source>
        <translation>빈 페이지에서 시작합니다. 이전 세션은 목록에 남습니다.</translation>
    </message>
    <message>
        <source>Start an empty page in raw mode; the model continues its text without the chat template.</source>
        <translation>Raw 모드에서 빈 페이지를 시작합니다. 모델은 채팅 템플릿 없이 글을 이어 씁니다.</translation>
    </message>
    <message>
        <source>Open a model on this machine or on a server, or download one from the hub.</source>
        <translation>이 컴퓨터나 서버의 모델을 열거나 허브에서 내려받습니다.</translation>
    </message>
    <message>
        <source>Open one of the models that were used last.</source>
        <translation>마지막으로 열었던 모델 가운데 하나를 엽니다.</translation>
    </message>
    <message>
        <source>Attach text files to the prompt; in raw mode, insert their text.</source>
        <translation>텍스트 파일을 프롬프트에 첨부합니다. Raw 모드에서는 파일 내용을 넣습니다.</translation>
    </message>
    <message>
        <source>Import sessions from files.</source>
        <translation>파일로 저장한 세션을 엽니다.</translation>
    </message>
    <message>
        <source>Save this session with all runs, as text or as a web page.</source>
        <translation>이 세션을 모든 실행과 함께 파일로, 또는 글이나 웹 페이지로 저장합니다.</translation>
    </message>
    <message>
        <source>Copy the conversation to the clipboard as Markdown.</source>
        <translation>대화를 Markdown으로 클립보드에 넣습니다.</translation>
    </message>
    <message>
        <source>Close the window and quit; sessions are saved.</source>
        <translation>창을 닫고 종료합니다. 세션은 저장됩니다.</translation>
    </message>
    <message>
        <source>Quit Sluice; sessions are saved and open again at the next start.</source>
        <translation>Sluice를 종료합니다. 세션은 저장되고 다음에 시작할 때 다시 열립니다.</translation>
    </message>
    <message>
        <source>Undo the last edit, deletion or new answer.</source>
        <translation>마지막 편집, 삭제 또는 새 답변을 되돌립니다.</translation>
    </message>
    <message>
        <source>Copy the model&apos;s last answer to the clipboard, unformatted.</source>
        <translation>모델의 마지막 답변을 쓰인 그대로 클립보드에 복사합니다.</translation>
    </message>
    <message>
        <source>Find text in the conversation, or in the focused part of the window.</source>
        <translation>대화에서, 또는 키보드가 있는 곳에서 낱말을 찾습니다.</translation>
    </message>
    <message>
        <source>Go to the next match.</source>
        <translation>다음 일치 항목으로 갑니다.</translation>
    </message>
    <message>
        <source>Go to the previous match.</source>
        <translation>이전 일치 항목으로 갑니다.</translation>
    </message>
    <message>
        <source>Show all keyboard shortcuts, and change them.</source>
        <translation>쓸 수 있는 모든 키를 보고, 바꿀 수 있는 키를 바꿉니다.</translation>
    </message>
    <message>
        <source>Change appearance, language, folders, privacy and memory limits.</source>
        <translation>모양, 언어, 폴더, 개인 정보, 메모리 제한을 바꿉니다.</translation>
    </message>
    <message>
        <source>Stop the run, the loading of a model, or the playback; the text so far stays.</source>
        <translation>실행이나 모델 열기, 다시 보기를 멈춥니다. 쓴 것은 남습니다.</translation>
    </message>
    <message>
        <source>Stop the run or experiment, and pause the downloads; finished parts stay.</source>
        <translation>실행이나 실험을 멈추고 내려받기를 잠시 멈춥니다. 여기 있는 것은 그대로 남습니다.</translation>
    </message>
    <message>
        <source>Continue the last answer from its end.</source>
        <translation>마지막 답변을 끝난 곳에서 이어 갑니다.</translation>
    </message>
    <message>
        <source>Answer the last prompt again; the previous answer stays as a branch.</source>
        <translation>마지막 프롬프트에 다시 답하게 합니다. 이전 답변은 가지로 남습니다.</translation>
    </message>
    <message>
        <source>Show the previous version of this turn.</source>
        <translation>이 턴의 이전 판을 보여 줍니다.</translation>
    </message>
    <message>
        <source>Show the next version of this turn.</source>
        <translation>이 턴의 다음 판을 보여 줍니다.</translation>
    </message>
    <message>
        <source>Show the tree of this conversation, and compare its branches.</source>
        <translation>이 대화의 트리를 보고 가지를 비교합니다.</translation>
    </message>
    <message>
        <source>Play back the answer, its curve and its numbers, slowly; nothing is generated.</source>
        <translation>답과 그 곡선, 숫자를 천천히 다시 보여 줍니다. 아무것도 새로 생성하지 않습니다.</translation>
    </message>
    <message>
        <source>Run the last request again, and compare it token by token.</source>
        <translation>마지막 요청을 다시 실행하여 토큰마다 비교합니다.</translation>
    </message>
    <message>
        <source>Run the last request again, and measure the time per part and layer.</source>
        <translation>마지막 요청을 다시 실행하여 각 부분과 레이어에 걸리는 시간을 봅니다.</translation>
    </message>
    <message>
        <source>Measure the memory-bandwidth limit of the open model on this computer.</source>
        <translation>이 컴퓨터에서 열린 모델의 메모리 대역폭 한계를 측정합니다.</translation>
    </message>
    <message>
        <source>Show a Python script that does the same with mlx-lm.</source>
        <translation>mlx-lm으로 같은 일을 하는 프로그램을 봅니다.</translation>
    </message>
    <message>
        <source>Copy the run&apos;s Python script to the clipboard.</source>
        <translation>이 실행의 Python 프로그램을 클립보드에 복사합니다.</translation>
    </message>
    <message>
        <source>List questions, such as “Which temperature?”, with the tools that answer them.</source>
        <translation>“어떤 온도가 좋은가요?”와 같은 질문과, 답을 주는 도구를 보여 줍니다.</translation>
    </message>
    <message>
        <source>Measure the same run with and without the KV cache.</source>
        <translation>같은 실행을 KV 캐시가 있을 때와 없을 때로 측정합니다.</translation>
    </message>
    <message>
        <source>Measure the same prompt with a small and a large token limit.</source>
        <translation>같은 프롬프트를 짧게 끊을 때와 길게 둘 때를 측정합니다.</translation>
    </message>
    <message>
        <source>Send the same text with the chat template and without it.</source>
        <translation>같은 글을 채팅 템플릿을 씌워서, 그리고 있는 그대로 보냅니다.</translation>
    </message>
    <message>
        <source>Compare the answers of two settings, with several seeds each.</source>
        <translation>두 설정의 답변을 각각 여러 시드로 비교합니다.</translation>
    </message>
    <message>
        <source>Measure answers with and without structured output.</source>
        <translation>자유로운 답과 형식을 지키게 한 답을 잽니다.</translation>
    </message>
    <message>
        <source>Measure the time that the prompt cache saves in the second turn.</source>
        <translation>다음 차례까지 캐시를 남겨 두면 얼마나 아끼는지 측정합니다.</translation>
    </message>
    <message>
        <source>Measure the memory that a quantized KV cache saves, and the changed tokens.</source>
        <translation>비트 수를 줄인 KV 캐시가 무엇을 아끼고 무엇을 바꾸는지 측정합니다.</translation>
    </message>
    <message>
        <source>Run one prompt on two models, loaded one after the other.</source>
        <translation>한 프롬프트를 두 모델에서 차례로 불러와 실행합니다.</translation>
    </message>
    <message>
        <source>Find which settings change the tokens, and how close the logits were.</source>
        <translation>어떤 설정에서 다른 토큰이 나오는지, 얼마나 아슬아슬했는지 봅니다.</translation>
    </message>
    <message>
        <source>Show step by step which text is held back and which is shown.</source>
        <translation>무엇을 붙잡아 두고 무엇을 내보내는지 단계별로 봅니다.</translation>
    </message>
    <message>
        <source>Step through an answer: the bytes of each token, text held back, and stop strings that may have begun.</source>
        <translation>답변을 토큰 하나씩 살펴봅니다. 토큰마다 바이트, 붙잡아 둔 글, 시작되었을 수 있는 중지 문자열을 보여 줍니다.</translation>
    </message>
    <message>
        <source>Run every combination of the chosen values, several times each.</source>
        <translation>원하는 설정의 모든 값 조합을 원하는 횟수만큼 시험합니다.</translation>
    </message>
    <message>
        <source>Evaluate many prompts with several settings or models, and test the difference for significance.</source>
        <translation>여러 설정이나 모델에 많은 프롬프트를 보내고, 차이가 정말 있는지 알아봅니다.</translation>
    </message>
    <message>
        <source>Measure a model&apos;s perplexity on a text, and its KL divergence from another model.</source>
        <translation>텍스트에 대한 모델의 퍼플렉서티와, 다른 모델과의 KL 발산을 측정합니다.</translation>
    </message>
    <message>
        <source>Quantize the bundled model to 4 bits, and compare it with the original.</source>
        <translation>함께 들어 있는 모델을 가중치마다 4비트로 복사해 원본과 견줍니다.</translation>
    </message>
    <message>
        <source>Show answers as written, in a monospace font.</source>
        <translation>답변을 쓰인 그대로, 고정폭 글꼴로 보여 줍니다.</translation>
    </message>
    <message>
        <source>Show answers as tokens, with the numbers of each.</source>
        <translation>답변을 하나씩 가리킬 수 있는 토큰으로 보여 줍니다.</translation>
    </message>
    <message>
        <source>Show or hide the sessions on the left.</source>
        <translation>왼쪽의 세션 목록을 보이거나 숨깁니다.</translation>
    </message>
    <message>
        <source>Search the titles and texts of all sessions.</source>
        <translation>모든 세션의 제목과 본문에서 단어를 찾습니다.</translation>
    </message>
    <message>
        <source>Show all runs as a table, compare them, rerun one.</source>
        <translation>모든 실행을 표로 보고, 비교하고, 재현합니다.</translation>
    </message>
    <message>
        <source>Show every graph and gauge as a table of numbers.</source>
        <translation>모든 그래프와 게이지를 수치 표로 읽습니다.</translation>
    </message>
    <message>
        <source>Show or hide the inspector on the right.</source>
        <translation>오른쪽의 검사기를 보이거나 숨깁니다.</translation>
    </message>
    <message>
        <source>Show or hide the controls on the right.</source>
        <translation>오른쪽의 생성 옵션을 보이거나 숨깁니다.</translation>
    </message>
    <message>
        <source>Show or hide the details of each token.</source>
        <translation>각 토큰에 대해 알려진 내용을 보이거나 숨깁니다.</translation>
    </message>
    <message>
        <source>Show or hide the logit lens, attention and hidden states of a token.</source>
        <translation>토큰의 로짓 렌즈, 어텐션, 은닉 상태를 표시하거나 숨깁니다.</translation>
    </message>
    <message>
        <source>Show the logit lens, attention patterns, residual stream and attribution of an answer.</source>
        <translation>답변의 로짓 렌즈, 어텐션 패턴, 잔차 스트림, 기여도를 보여 줍니다.</translation>
    </message>
    <message>
        <source>Show or hide the exact prompt that the model gets, token by token.</source>
        <translation>모델에 실제로 들어가는 내용을 토큰 단위로 보이거나 숨깁니다.</translation>
    </message>
    <message>
        <source>Put the cursor into the prompt field.</source>
        <translation>프롬프트를 입력하는 곳으로 커서를 옮깁니다.</translation>
    </message>
    <message>
        <source>Find any action by its name, and run it.</source>
        <translation>이름으로 명령을 찾아 실행합니다.</translation>
    </message>
    <message>
        <source>Follow the light or dark mode of the system.</source>
        <translation>시스템의 라이트 또는 다크 모드를 따릅니다.</translation>
    </message>
    <message>
        <source>Use the light colors.</source>
        <translation>밝은 색을 씁니다.</translation>
    </message>
    <message>
        <source>Use the dark colors.</source>
        <translation>어두운 색을 씁니다.</translation>
    </message>
    <message>
        <source>Use stronger colors, even if the system doesn&apos;t ask for them.</source>
        <translation>시스템이 요구하지 않아도 더 뚜렷한 색을 씁니다.</translation>
    </message>
    <message>
        <source>Make all text larger, up to 200 %.</source>
        <translation>모든 글자를 키웁니다. 기본 크기의 두 배까지 됩니다.</translation>
    </message>
    <message>
        <source>Reset all text to 100 %.</source>
        <translation>모든 글자를 기본 크기로 되돌립니다.</translation>
    </message>
    <message>
        <source>Enter or leave full screen.</source>
        <translation>창을 화면 가득 채우거나 원래대로 되돌립니다.</translation>
    </message>
    <message>
        <source>Minimize the window; a run continues.</source>
        <translation>창을 최소화합니다. 실행은 계속됩니다.</translation>
    </message>
    <message>
        <source>Open the help page, which is on this machine.</source>
        <translation>모든 부분과 수치와 키를 설명합니다. 문서는 이 컴퓨터에 있습니다.</translation>
    </message>
    <message>
        <source>Show the lessons: predict, run and measure what a model does.</source>
        <translation>수업을 보여 줍니다. 모델이 하는 일을 예측하고, 실행하고, 측정합니다.</translation>
    </message>
    <message>
        <source>Explain the part of the window that is clicked next, or the focused one.</source>
        <translation>다음에 누르는 것을 설명합니다. 키는 키보드가 놓인 것을 설명합니다.</translation>
    </message>
    <message>
        <source>Check for a newer version in the browser.</source>
        <translation>브라우저에서 새 버전이 있는지 확인합니다.</translation>
    </message>
    <message>
        <source>Copy what a report needs, without your texts.</source>
        <translation>신고에 필요한 내용을 복사합니다. 입력한 글은 들어가지 않습니다.</translation>
    </message>
    <message>
        <source>Show the licenses of the software in this program.</source>
        <translation>이 프로그램이 누구의 작업으로 이루어졌는지 봅니다.</translation>
    </message>
    <message>
        <source>Show the version of this program.</source>
        <translation>버전을 확인합니다.</translation>
    </message>
    <message>
        <source>The session is empty, or a run is in progress</source>
        <translation>세션이 비어 있거나 실행 중입니다</translation>
    </message>
    <message>
        <source>A run is in progress</source>
        <translation>실행 중입니다</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>되돌릴 변경이 없습니다</translation>
    </message>
    <message>
        <source>No answer yet</source>
        <translation>아직 답변이 없습니다</translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation>진행 중인 작업이 없습니다</translation>
    </message>
    <message>
        <source>No answer was cut off</source>
        <translation>중간에 끊긴 답변이 없습니다</translation>
    </message>
    <message>
        <source>No answer yet, or no open model</source>
        <translation>아직 답변이 없거나 열린 모델이 없습니다</translation>
    </message>
    <message>
        <source>This answer has no branches</source>
        <translation>이 답변에는 가지가 없습니다</translation>
    </message>
    <message>
        <source>This conversation has no branches</source>
        <translation>이 대화에는 가지가 없습니다</translation>
    </message>
    <message>
        <source>Text is already at its largest (200 %)</source>
        <translation>글자가 이미 가장 큽니다(200 %)</translation>
    </message>
    <message>
        <source>Text is already at its smallest</source>
        <translation>글자가 이미 가장 작습니다</translation>
    </message>
    <message>
        <source>No finished answer, or a run is in progress</source>
        <translation>끝난 답변이 없거나 실행 중입니다</translation>
    </message>
    <message>
        <source>No finished run, or no open model</source>
        <translation>끝난 실행이 없거나 열린 모델이 없습니다</translation>
    </message>
    <message>
        <source>No finished run whose model is open on this machine</source>
        <translation>이 컴퓨터에 열린 모델로 끝낸 실행이 없습니다</translation>
    </message>
    <message>
        <source>No open model, or a run is in progress</source>
        <translation>열린 모델이 없거나 실행 중입니다</translation>
    </message>
    <message>
        <source>Enter sends the prompt; without this, Enter makes a new line.</source>
        <translation>Enter로 프롬프트를 보냅니다. 끄면 Enter는 줄을 바꿉니다.</translation>
    </message>
    <message>
        <source>Start an OpenAI-compatible server for the open model, or run it on several machines.</source>
        <translation>열린 모델의 OpenAI 호환 서버를 시작하거나, 모델을 여러 컴퓨터에서 실행합니다.</translation>
    </message>
    <message>
        <source>Measure the speed without draft tokens, with a draft model, and with prompt lookup.</source>
        <translation>드래프트 토큰이 없을 때, 드래프트 모델을 쓸 때, prompt lookup을 쓸 때의 속도를 측정합니다.</translation>
    </message>
    <message>
        <source>Compare the open model with its quantizations to 8 and 4 bits per weight, or to others.</source>
        <translation>열린 모델을 가중치당 8비트와 4비트, 또는 다른 비트로 양자화한 것과 비교합니다.</translation>
    </message>
    <message>
        <source>Show answers with headings, lists and colored code.</source>
        <translation>답변을 제목, 목록, 색을 입힌 코드로 보여 줍니다.</translation>
    </message>
    <message>
        <source>Show answers exactly as the model wrote them.</source>
        <translation>답변을 모델이 쓴 그대로 보여 줍니다.</translation>
    </message>
    <message>
        <source>Make all text smaller.</source>
        <translation>모든 글자를 줄입니다.</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>파일(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>편집(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>실행(&amp;R)</translation>
    </message>
    <message>
        <source>E&amp;xperiments</source>
        <translation>실험(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>보기(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>도움말(&amp;H)</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>화면 모드</translation>
    </message>
    <message>
        <source>New Session</source>
        <translation>새 세션</translation>
    </message>
    <message>
        <source>New Raw Page</source>
        <translation>새 Raw 페이지</translation>
    </message>
    <message>
        <source>Open Model…</source>
        <translation>모델 열기…</translation>
    </message>
    <message>
        <source>Attach Files…</source>
        <translation>파일 첨부…</translation>
    </message>
    <message>
        <source>Import Session…</source>
        <translation>세션 가져오기…</translation>
    </message>
    <message>
        <source>Export Session…</source>
        <translation>세션 내보내기…</translation>
    </message>
    <message>
        <source>Close Window</source>
        <translation>창 닫기</translation>
    </message>
    <message>
        <source>Quit Sluice</source>
        <translation>Sluice 종료</translation>
    </message>
    <message>
        <source>Undo Conversation Change</source>
        <translation>대화 변경 실행 취소</translation>
    </message>
    <message>
        <source>Play Back</source>
        <translation>재생</translation>
    </message>
    <message>
        <source>Rerun and Compare…</source>
        <translation>다시 실행하여 비교…</translation>
    </message>
    <message>
        <source>Profile Last Run…</source>
        <translation>마지막 실행 프로파일링…</translation>
    </message>
    <message>
        <source>Speed Limits…</source>
        <translation>속도 한계…</translation>
    </message>
    <message>
        <source>Choose by Question…</source>
        <translation>질문으로 고르기…</translation>
    </message>
    <message>
        <source>Measure KV Cache Gain</source>
        <translation>KV 캐시 효과 측정</translation>
    </message>
    <message>
        <source>Measure Speed by Length</source>
        <translation>길이에 따른 속도 측정</translation>
    </message>
    <message>
        <source>Compare Chat Template and Raw</source>
        <translation>채팅 템플릿과 원문 비교</translation>
    </message>
    <message>
        <source>Measure Draft Model Gain</source>
        <translation>드래프트 모델 효과 측정</translation>
    </message>
    <message>
        <source>Compare Sampling Settings</source>
        <translation>샘플링 설정 비교</translation>
    </message>
    <message>
        <source>Measure Structured Output Cost</source>
        <translation>구조화 출력 비용 측정</translation>
    </message>
    <message>
        <source>Measure Cache Reuse in Turn 2</source>
        <translation>두 번째 턴의 캐시 재사용 측정</translation>
    </message>
    <message>
        <source>Measure KV Cache Quantization</source>
        <translation>KV 캐시 양자화 측정</translation>
    </message>
    <message>
        <source>Compare Two Models</source>
        <translation>두 모델 비교</translation>
    </message>
    <message>
        <source>Find Settings That Change Tokens</source>
        <translation>토큰을 바꾸는 설정 찾기</translation>
    </message>
    <message>
        <source>Step Through Stop Strings…</source>
        <translation>중지 문자열 단계별 보기…</translation>
    </message>
    <message>
        <source>Sweep Settings…</source>
        <translation>설정 스윕…</translation>
    </message>
    <message>
        <source>Evaluate Prompt Sets…</source>
        <translation>프롬프트 세트 평가…</translation>
    </message>
    <message>
        <source>Compare Quantizations…</source>
        <translation>양자화 비교…</translation>
    </message>
    <message>
        <source>Measure Perplexity and KL…</source>
        <translation>퍼플렉서티와 KL 측정…</translation>
    </message>
    <message>
        <source>Show Numbers as Tables…</source>
        <translation>수치를 표로 보기…</translation>
    </message>
    <message>
        <source>Inside the Model…</source>
        <translation>모델 속…</translation>
    </message>
    <message>
        <source>Reset Text Size</source>
        <translation>글자 크기 초기화</translation>
    </message>
    <message>
        <source>Minimize</source>
        <translation>최소화</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>수업</translation>
    </message>
    <message>
        <source>Licenses</source>
        <translation>라이선스</translation>
    </message>
    <message>
        <source>Copy Last Answer</source>
        <translation>마지막 답변 복사</translation>
    </message>
    <message>
        <source>Enter Sends</source>
        <translation>Enter로 보내기</translation>
    </message>
    <message>
        <source>Keyboard Shortcuts…</source>
        <translation>키보드 단축키…</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>설정…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>중지</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>이어서 생성</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>다시 생성</translation>
    </message>
    <message>
        <source>Previous Branch</source>
        <translation>이전 가지</translation>
    </message>
    <message>
        <source>Next Branch</source>
        <translation>다음 가지</translation>
    </message>
    <message>
        <source>Branches…</source>
        <translation>가지 보기…</translation>
    </message>
    <message>
        <source>View Code…</source>
        <translation>코드 보기…</translation>
    </message>
    <message>
        <source>Copy as Python</source>
        <translation>Python 코드로 복사</translation>
    </message>
    <message>
        <source>Serve This Model…</source>
        <translation>이 모델 제공하기…</translation>
    </message>
    <message>
        <source>Stop Strings and Characters</source>
        <translation>중지 문자열과 글자</translation>
    </message>
    <message>
        <source>Compare Demo Model with 4-Bit Copy…</source>
        <translation>데모 모델의 4비트 비교…</translation>
    </message>
    <message>
        <source>Formatted</source>
        <translation>서식 적용</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>원문 그대로</translation>
    </message>
    <message>
        <source>Monospace</source>
        <translation>고정폭</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>토큰</translation>
    </message>
    <message>
        <source>Search the Sessions</source>
        <translation>세션 검색</translation>
    </message>
    <message>
        <source>Controls</source>
        <translation>생성 옵션</translation>
    </message>
    <message>
        <source>Exact Prompt</source>
        <translation>실제 프롬프트</translation>
    </message>
    <message>
        <source>Go to the Prompt</source>
        <translation>프롬프트로 이동</translation>
    </message>
    <message>
        <source>Command Palette…</source>
        <translation>명령 팔레트…</translation>
    </message>
    <message>
        <source>Follow the System</source>
        <translation>시스템 설정에 따름</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>라이트</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>다크</translation>
    </message>
    <message>
        <source>High Contrast</source>
        <translation>고대비</translation>
    </message>
    <message>
        <source>Larger Text</source>
        <translation>글자 크게</translation>
    </message>
    <message>
        <source>Smaller Text</source>
        <translation>글자 작게</translation>
    </message>
    <message>
        <source>Full Screen</source>
        <translation>전체 화면</translation>
    </message>
    <message>
        <source>Sluice Help</source>
        <translation>Sluice 도움말</translation>
    </message>
    <message>
        <source>What&apos;s This?</source>
        <translation>이것은 무엇인가요?</translation>
    </message>
    <message>
        <source>Check for Updates…</source>
        <translation>업데이트 확인…</translation>
    </message>
    <message>
        <source>Report a Problem…</source>
        <translation>문제 신고…</translation>
    </message>
    <message>
        <source>About Sluice</source>
        <translation>Sluice 정보</translation>
    </message>
    <message>
        <source>Use the chat template</source>
        <translation>채팅 템플릿 쓰기</translation>
    </message>
    <message>
        <source>Switch to Raw</source>
        <translation>Raw로 바꾸기</translation>
    </message>
    <message>
        <source>Take one away</source>
        <translation>하나 지우기</translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>보기</translation>
    </message>
    <message>
        <source>Start the reply yourself</source>
        <translation>답변 첫머리 직접 쓰기</translation>
    </message>
    <message>
        <source>Set the argument</source>
        <translation>인수 설정</translation>
    </message>
    <message>
        <source>Leave out the oldest turn</source>
        <translation>가장 오래된 차례 빼기</translation>
    </message>
    <message>
        <source>This is a chat model, and raw mode sends no chat template: the model may not stop.</source>
        <translation>채팅 모델인데 템플릿 없이 보내므로, 어디에서 끝내야 할지 모를 수 있습니다.</translation>
    </message>
    <message>
        <source>This model has no chat template, so it can&apos;t be used in chat mode.</source>
        <translation>이 모델에는 채팅 템플릿이 없어서 대화를 할 수 없습니다.</translation>
    </message>
    <message>
        <source>The template ends answers with {end}, but this model never stops at it: it looks like a base model.</source>
        <translation>템플릿은 답변을 {end}(으)로 닫지만 이 모델은 여기에서 끝내는 일이 없습니다. 베이스 모델로 보입니다.</translation>
    </message>
    <message>
        <source>The model will read {names} in your text as control tokens.</source>
        <translation>입력한 글의 {names}을(를) 모델은 글이 아니라 제어 토큰으로 읽습니다.</translation>
    </message>
    <message>
        <source>The template has no generation prompt: the model may continue your message instead of answering.</source>
        <translation>템플릿에 답변을 요청하는 부분이 없어서, 모델이 질문을 이어서 쓸 수 있습니다.</translation>
    </message>
    <message>
        <source>The prompt begins with {bos} twice. Models are trained on text that begins with it once.</source>
        <translation>프롬프트가 {bos} 두 개로 시작합니다. 모델은 한 개로 시작하는 글로 학습되었습니다.</translation>
    </message>
    <message>
        <source>The prompt has {length} tokens, the context window {context}: remove {surplus} or more.</source>
        <translation>프롬프트는 토큰 {length}개이고 컨텍스트에는 {context}개가 들어갑니다. 답변할 자리가 생기려면 적어도 {surplus}개를 줄여야 합니다.</translation>
    </message>
    <message>
        <source>The model needs {needed:.1f} GB, and the memory limit that you set leaves {available:.1f} GB.</source>
        <translation>모델에는 {needed:.1f} GB가 필요하지만, 설정한 메모리 한도에서 남은 것은 {available:.1f} GB입니다.</translation>
    </message>
    <message>
        <source>Raise the limit in the settings, under Advanced, or choose a smaller model.</source>
        <translation>설정의 고급에서 한도를 올리거나 더 작은 모델을 고르세요.</translation>
    </message>
    <message>
        <source>The model needs {needed} GB, and {free} GB are free.</source>
        <translation>모델에 {needed} GB가 필요한데 남은 메모리는 {free} GB입니다.</translation>
    </message>
    <message>
        <source>The address is missing.</source>
        <translation>주소가 없습니다.</translation>
    </message>
    <message>
        <source>Enter one like http://192.168.1.20:8080.</source>
        <translation>http://192.168.1.20:8080 같은 주소를 입력하세요.</translation>
    </message>
    <message>
        <source>“{address}” is not the address of a server.</source>
        <translation>“{address}”은(는) 서버의 주소가 아닙니다.</translation>
    </message>
    <message>
        <source>This address contains more than a server.</source>
        <translation>이 주소에는 서버 말고도 다른 것이 들어 있습니다.</translation>
    </message>
    <message>
        <source>Remove the user name, the query and the fragment; the key has its own field.</source>
        <translation>사용자 이름, 쿼리, 프래그먼트를 빼세요. 키는 따로 입력하는 칸이 있습니다.</translation>
    </message>
    <message>
        <source>{host} answers, but lists no models.</source>
        <translation>{host} 서버가 응답하지만 모델 목록을 주지 않습니다.</translation>
    </message>
    <message>
        <source>Enter the name of a model. mlx_lm.server&apos;s own model has the name default_model.</source>
        <translation>모델 이름을 직접 입력하세요. mlx_lm.server는 시작할 때의 모델을 default_model이라고 부릅니다.</translation>
    </message>
    <message>
        <source>Check the proxy, or add the server to NO_PROXY.</source>
        <translation>프록시를 확인하거나 서버를 NO_PROXY에 추가하세요.</translation>
    </message>
    <message>
        <source>Check the address.</source>
        <translation>주소를 확인하세요.</translation>
    </message>
    <message>
        <source>{host} refused the connection.</source>
        <translation>{host} 서버가 연결을 거부했습니다.</translation>
    </message>
    <message>
        <source>Start the server there, or check the port.</source>
        <translation>그곳에서 서버를 시작하거나, 포트를 확인하세요.</translation>
    </message>
    <message>
        <source>No secure connection to {host} could be made.</source>
        <translation>{host} 서버와 보안 연결을 맺을 수 없습니다.</translation>
    </message>
    <message>
        <source>{host} can&apos;t be reached.</source>
        <translation>{host} 서버에 연결할 수 없습니다.</translation>
    </message>
    <message>
        <source>Check the network and the address.</source>
        <translation>네트워크와 주소를 확인하세요.</translation>
    </message>
    <message>
        <source>{host} is not the address of a server.</source>
        <translation>{host}은(는) 서버의 주소가 아닙니다.</translation>
    </message>
    <message>
        <source>{host} is behind a SOCKS proxy, which Sluice doesn&apos;t support.</source>
        <translation>{host}에 가려면 SOCKS 프록시를 거쳐야 하는데, Sluice는 이를 쓸 수 없습니다.</translation>
    </message>
    <message>
        <source>Set an HTTP proxy, or add the server to NO_PROXY.</source>
        <translation>HTTP 프록시를 지정하거나 서버를 NO_PROXY에 추가하세요.</translation>
    </message>
    <message>
        <source>The proxy for {host} refused the connection.</source>
        <translation>{host}에 이르는 프록시가 거부했습니다.</translation>
    </message>
    <message>
        <source>The host name {host} can&apos;t be resolved.</source>
        <translation>이름이 {host}인 서버를 찾을 수 없습니다.</translation>
    </message>
    <message>
        <source>Check its certificate, or use http:// if it has no TLS.</source>
        <translation>인증서를 확인하거나, TLS를 쓰지 않는 서버라면 http://를 쓰세요.</translation>
    </message>
    <message>
        <source>The connection to {host} was lost.</source>
        <translation>{host} 서버와의 연결이 끊겼습니다.</translation>
    </message>
    <message>
        <source>Retry; if it happens again, check the server&apos;s log.</source>
        <translation>다시 시도하세요. 또 그러면 서버의 로그를 확인하세요.</translation>
    </message>
    <message>
        <source>{host} doesn&apos;t answer like an OpenAI-compatible server.</source>
        <translation>{host}의 응답이 OpenAI 호환 서버의 형식이 아닙니다.</translation>
    </message>
    <message>
        <source>{host} has sent nothing for {seconds} seconds.</source>
        <translation>{host} 서버가 {seconds}초 동안 응답하지 않습니다.</translation>
    </message>
    <message>
        <source>{host} has sent only keep-alive messages for {seconds} seconds.</source>
        <translation>{host} 서버가 {seconds}초 동안 살아 있다는 신호만 보냈습니다.</translation>
    </message>
    <message>
        <source>The received text stays. Retry to generate it again.</source>
        <translation>받은 것은 남아 있습니다. 다시 시도하면 새로 씁니다.</translation>
    </message>
    <message>
        <source>{host} sent far more text than max tokens allows.</source>
        <translation>{host}이(가) 최대 토큰 수가 허용하는 것보다 훨씬 많은 글을 보냈습니다.</translation>
    </message>
    <message>
        <source>The received text stays. Lower the max tokens, or check the server&apos;s log.</source>
        <translation>받은 것은 남아 있습니다. 최대 토큰을 줄이거나, 서버의 로그를 확인하세요.</translation>
    </message>
    <message>
        <source>The received text stays. Retry; if it happens again, check the server&apos;s log.</source>
        <translation>받은 것은 남아 있습니다. 다시 시도하세요. 또 그러면 서버의 로그를 확인하세요.</translation>
    </message>
    <message>
        <source>{host} redirects to another address: {location}</source>
        <translation>{host} 서버가 다른 주소로 보냅니다: {location}</translation>
    </message>
    <message>
        <source>If you trust it, add it as the server&apos;s address.</source>
        <translation>그 주소를 믿는다면 서버의 주소로 추가하세요.</translation>
    </message>
    <message>
        <source>{host} needs a key.</source>
        <translation>{host} 서버가 키를 요구합니다.</translation>
    </message>
    <message>
        <source>Enter this server&apos;s key in the model picker.</source>
        <translation>모델 선택기에서 이 서버의 키를 입력하세요.</translation>
    </message>
    <message>
        <source>{host} has no model “{model}”.</source>
        <translation>{host}에는 “{model}” 모델이 없습니다.</translation>
    </message>
    <message>
        <source>{host} accepts no more requests at the moment.</source>
        <translation>{host} 서버가 지금은 요청을 더 받지 않습니다.</translation>
    </message>
    <message>
        <source>{host} failed to answer this request ({status}).</source>
        <translation>{host} 서버가 이 요청을 처리하지 못했습니다({status}).</translation>
    </message>
    <message>
        <source>Check the address and the port; it often ends in /v1.</source>
        <translation>주소와 포트를 확인하세요. 주소는 흔히 /v1로 끝납니다.</translation>
    </message>
    <message>
        <source>The connection to {host} ended in the middle of the answer.</source>
        <translation>답변 도중에 {host} 서버와의 연결이 끊겼습니다.</translation>
    </message>
    <message>
        <source>{host} sent invalid data.</source>
        <translation>{host} 서버가 읽을 수 없는 것을 보냈습니다.</translation>
    </message>
    <message>
        <source>{host} reports an error: {said}</source>
        <translation>{host} 서버가 오류를 알립니다: {said}</translation>
    </message>
    <message>
        <source>{host} does not accept the key.</source>
        <translation>{host} 서버가 키를 받아들이지 않습니다.</translation>
    </message>
    <message>
        <source>Choose one of the models that it lists.</source>
        <translation>서버의 목록에 있는 모델을 고르세요.</translation>
    </message>
    <message>
        <source>Wait a while, then retry.</source>
        <translation>잠시 기다렸다가 다시 시도하세요.</translation>
    </message>
    <message>
        <source>The prompt is too long for {host}.</source>
        <translation>프롬프트가 {host} 서버에는 너무 깁니다.</translation>
    </message>
    <message>
        <source>A batch needs a plain KV cache and no draft tokens.</source>
        <translation>배치에는 일반 KV 캐시가 필요하고, 드래프트 토큰은 쓸 수 없습니다.</translation>
    </message>
    <message>
        <source>Change these settings, or run them one by one.</source>
        <translation>이 설정을 바꾸거나 하나씩 실행하세요.</translation>
    </message>
    <message>
        <source>Shorten it.</source>
        <translation>줄이세요.</translation>
    </message>
    <message>
        <source>The prompt is longer than the model&apos;s context window.</source>
        <translation>프롬프트가 모델의 컨텍스트보다 깁니다.</translation>
    </message>
    <message>
        <source>{host} refuses this request: {said}</source>
        <translation>{host} 서버가 이 요청을 거부합니다: {said}</translation>
    </message>
    <message>
        <source>Change the setting that it names, or the prompt.</source>
        <translation>서버가 말한 설정이나 프롬프트를 바꾸세요.</translation>
    </message>
    <message>
        <source>Select a turn of another branch to compare it with the shown one.</source>
        <translation>다른 가지의 차례를 고르면 보이는 차례와 비교합니다.</translation>
    </message>
    <message>
        <source>Struck through: only in the shown turn. Underlined: only in the selected turn.</source>
        <translation>취소선: 보이는 차례에만 있음. 밑줄: 고른 차례에만 있음.</translation>
    </message>
    <message>
        <source>Branches of the conversation</source>
        <translation>대화의 가지</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>가지</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>보기</translation>
    </message>
    <message>
        <source>Show the selected turn in the conversation (Enter)</source>
        <translation>선택한 차례를 대화에서 보기(Enter)</translation>
    </message>
    <message>
        <source>Save As…</source>
        <translation>다른 이름으로 저장…</translation>
    </message>
    <message>
        <source>Streaming</source>
        <translation>스트리밍</translation>
    </message>
    <message>
        <source>Exact text</source>
        <translation>정확한 텍스트</translation>
    </message>
    <message>
        <source>Prints mlx-lm&apos;s text as it streams, then finish reason, speeds and peak memory</source>
        <translation>mlx-lm의 텍스트를 스트리밍되는 대로 출력하고, 종료 이유와 속도, 최대 메모리를 출력합니다</translation>
    </message>
    <message>
        <source>Prints at the end, with the same spaces and characters as in Sluice</source>
        <translation>끝에 한 번 출력하며, 공백과 문자가 Sluice에서와 같습니다</translation>
    </message>
    <message>
        <source>{title}: select and copy</source>
        <translation>{title}, 선택해서 복사할 수 있습니다</translation>
    </message>
    <message>
        <source>Save as a file</source>
        <translation>파일로 저장</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>닫기(Esc)</translation>
    </message>
    <message>
        <source>Form of the script</source>
        <translation>스크립트 형식</translation>
    </message>
    <message>
        <source>Copy the complete script</source>
        <translation>스크립트 전체 복사</translation>
    </message>
    <message>
        <source>Copy the complete template</source>
        <translation>템플릿 전체 복사</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>차례</translation>
    </message>
    <message>
        <source>Forked</source>
        <translation>분기한 곳</translation>
    </message>
    <message>
        <source>Enter or a double click shows a branch; ● marks the shown one</source>
        <translation>Enter나 두 번 클릭으로 가지 보기, ●는 지금 보이는 가지</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>보이는 중</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>단축키</translation>
    </message>
    <message>
        <source>Second shortcut</source>
        <translation>두 번째 단축키</translation>
    </message>
    <message>
        <source>No action has these words or this key.</source>
        <translation>이 낱말이나 이 키가 있는 동작이 없습니다.</translation>
    </message>
    <message>
        <source>Remove the shortcuts of this action</source>
        <translation>이 동작의 단축키를 없앱니다</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>빼기</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>되돌리기</translation>
    </message>
    <message>
        <source>or</source>
        <translation>또는</translation>
    </message>
    <message>
        <source>This key belongs to a part of the window and can&apos;t be changed.</source>
        <translation>창의 한 부분에서 쓰는 키라 바꿀 수 없습니다.</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>키보드 단축키</translation>
    </message>
    <message>
        <source>Reset this action to its default shortcut</source>
        <translation>이 동작의 단축키를 기본값으로 되돌립니다</translation>
    </message>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>키보드 단축키</translation>
    </message>
    <message>
        <source>Letters of an action, or a key</source>
        <translation>명령의 글자 몇 개, 또는 키</translation>
    </message>
    <message>
        <source>Reset all actions to their default shortcuts</source>
        <translation>모든 동작의 단축키를 기본값으로 되돌립니다</translation>
    </message>
    <message>
        <source>Reset All</source>
        <translation>모두 되돌리기</translation>
    </message>
    <message>
        <source>Search the shortcuts</source>
        <translation>단축키 검색</translation>
    </message>
    <message>
        <source>All keyboard shortcuts; those of menu entries can be changed below</source>
        <translation>모든 단축키입니다. 메뉴 항목의 단축키는 아래에서 바꿀 수 있습니다</translation>
    </message>
    <message>
        <source>Press the keys; Tab moves to the next field</source>
        <translation>키를 누르세요. Tab을 누르면 다음으로 갑니다</translation>
    </message>
    <message>
        <source>Search actions and keys</source>
        <translation>명령과 키 검색</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>명령</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>키</translation>
    </message>
    <message>
        <source>State</source>
        <translation>상태</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>바뀜</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>고정</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>명령 찾기</translation>
    </message>
    <message>
        <source>No action has these words.</source>
        <translation>이 단어가 든 명령이 없습니다.</translation>
    </message>
    <message>
        <source>A few letters are enough; the arrow keys move in the list, Enter runs the action</source>
        <translation>글자 몇 개면 됩니다. 화살표 키로 목록을 움직이고 Enter로 실행합니다</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>명령 팔레트</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>명령</translation>
    </message>
    <message>
        <source>Commands that match the text; Enter runs the selected one</source>
        <translation>입력한 글에 맞는 명령. Enter로 선택한 명령을 실행합니다</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>지금은 쓸 수 없음</translation>
    </message>
    <message>
        <source>“{text}” isn&apos;t a setting with values.</source>
        <translation>“{text}”은(는) 값이 있는 설정이 아닙니다.</translation>
    </message>
    <message>
        <source>Write NAME=VALUE,VALUE with one of: {known}.</source>
        <translation>다음 가운데 하나로 이름=값,값 형태로 쓰세요: {known}.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>켜짐</translation>
    </message>
    <message>
        <source>{setting} {value}</source>
        <translation>{setting} {value}</translation>
    </message>
    <message>
        <source>“{text}” isn&apos;t a value of {setting}.</source>
        <translation>“{text}”은(는) {setting}에 쓸 수 없는 값입니다.</translation>
    </message>
    <message>
        <source>Change the value.</source>
        <translation>바꾸세요.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>chat</source>
        <translation>채팅</translation>
    </message>
    <message>
        <source>raw</source>
        <translation>Raw</translation>
    </message>
    <message>
        <source>until the context is full</source>
        <translation>컨텍스트가 가득 찰 때까지</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>드래프트 모델</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>모드</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>속도</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>네트워크</translation>
    </message>
    <message>
        <source>Prompt text</source>
        <translation>프롬프트 본문</translation>
    </message>
    <message>
        <source>{number} tok/s</source>
        <translation>{number} 토큰/초</translation>
    </message>
    <message>
        <source>{number} ×</source>
        <translation>{number}배</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>답변</translation>
    </message>
    <message>
        <source>Generated but not displayed</source>
        <translation>생성되었지만 표시되지 않음</translation>
    </message>
    <message>
        <source>Tokens without text of their own</source>
        <translation>자기 텍스트가 없는 토큰</translation>
    </message>
    <message>
        <source>Prefill time</source>
        <translation>프리필 시간</translation>
    </message>
    <message>
        <source>Largest rise of the speed</source>
        <translation>속도의 가장 큰 상승</translation>
    </message>
    <message>
        <source>Mean speed up to token {place}</source>
        <translation>{place}번째 토큰까지의 평균 속도</translation>
    </message>
    <message>
        <source>generation_tps at token {place}</source>
        <translation>{place}번째 토큰의 generation_tps</translation>
    </message>
    <message>
        <source>Share of most likely tokens</source>
        <translation>가장 그럴듯한 토큰의 비율</translation>
    </message>
    <message>
        <source>Mean entropy (bits)</source>
        <translation>평균 엔트로피(비트)</translation>
    </message>
    <message>
        <source>Batch ÷ one by one</source>
        <translation>배치 ÷ 하나씩</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>실행 환경</translation>
    </message>
    <message>
        <source>Client versions</source>
        <translation>요청한 프로그램</translation>
    </message>
    <message>
        <source>revision {revision}</source>
        <translation>리비전 {revision}</translation>
    </message>
    <message>
        <source>text; the server reported no token count</source>
        <translation>텍스트이며, 서버가 토큰을 세지 않았습니다</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens, {reused} of them from the cache, and {new} prefilled</source>
        <comment>%n token, {reused} of them from the cache, and {new} prefilled</comment>
        <translation>
            <numerusform>토큰 %n개, 그중 {reused}개는 캐시에서, {new}개는 프리필</numerusform>
        </translation>
    </message>
    <message>
        <source>{text}… ({count} characters)</source>
        <translation>{text}… ({count}자)</translation>
    </message>
    <message>
        <source>interrupted: the program ended during the run</source>
        <translation>중단됨: 도중에 프로그램이 종료되었습니다</translation>
    </message>
    <message numerus="yes">
        <source>prefill {number} tok/s (%n tokens)</source>
        <comment>prefill {number} tok/s (%n token)</comment>
        <translation>
            <numerusform>프리필 {number} 토큰/초(토큰 %n개)</numerusform>
        </translation>
    </message>
    <message>
        <source>time to first token {number} s</source>
        <translation>첫 토큰까지 {number}초</translation>
    </message>
    <message>
        <source>mean {number} tok/s</source>
        <translation>평균 {number} 토큰/초</translation>
    </message>
    <message>
        <source>end to end {number} tok/s</source>
        <translation>전체 {number} 토큰/초</translation>
    </message>
    <message>
        <source>total {number} s</source>
        <translation>모두 {number}초</translation>
    </message>
    <message>
        <source>allowed: float32 operations may be rounded</source>
        <translation>허용: float32 연산이 반올림될 수 있음</translation>
    </message>
    <message>
        <source>off: float32 operations are not rounded</source>
        <translation>꺼짐: float32 연산이 반올림되지 않음</translation>
    </message>
    <message>
        <source>{share} used by other programs</source>
        <translation>다른 프로그램이 {share} 사용</translation>
    </message>
    <message>
        <source>clock at {share} of its maximum, limited by temperature or power</source>
        <translation>클록은 최대치의 {share}, 온도나 전력 때문에 제한됨</translation>
    </message>
    <message>
        <source>clock at {share} of its maximum</source>
        <translation>클록은 최대치의 {share}</translation>
    </message>
    <message numerus="yes">
        <source>%n kernels compiled</source>
        <comment>%n kernel compiled</comment>
        <translation>
            <numerusform>커널 %n개 컴파일</numerusform>
        </translation>
    </message>
    <message>
        <source>{share} of {count} draft tokens accepted, {tokens} tokens per step</source>
        <translation>제안 {count}개 중 {share} 수락, 단계당 토큰 {tokens}개</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens, {reused} of them from the cache</source>
        <comment>%n token, {reused} of them from the cache</comment>
        <translation>
            <numerusform>토큰 %n개, 그중 {reused}개는 캐시에서</numerusform>
        </translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>자동</translation>
    </message>
    <message>
        <source>TF32</source>
        <translation>TF32</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>file digest {digest}</source>
        <translation>내용 {digest}</translation>
    </message>
    <message>
        <source>{reason}, {time} ms after the click</source>
        <translation>{reason}, 클릭하고 {time} ms 뒤</translation>
    </message>
    <message numerus="yes">
        <source>%n pieces</source>
        <comment>%n piece</comment>
        <translation>
            <numerusform>%n조각</numerusform>
        </translation>
    </message>
    <message>
        <source>{generated} generated, {visible} visible</source>
        <translation>{generated}개 생성, {visible}개 표시</translation>
    </message>
    <message>
        <source>{generated} generated</source>
        <translation>{generated}개 생성</translation>
    </message>
    <message>
        <source>{generated} generated, {visible} visible, {reasoning} of them reasoning</source>
        <translation>{generated}개 생성, {visible}개 표시, 그중 추론 {reasoning}개</translation>
    </message>
    <message>
        <source>connected after {connect} s, first byte {first} s later</source>
        <translation>{connect}초 뒤 연결, 그로부터 {first}초 뒤 첫 바이트</translation>
    </message>
    <message>
        <source>Draft tokens</source>
        <translation>드래프트 토큰</translation>
    </message>
    <message>
        <source>All models…</source>
        <translation>모든 모델…</translation>
    </message>
    <message>
        <source>No effect while no draft model is loaded.</source>
        <translation>드래프트 모델을 불러오지 않아 효과가 없습니다.</translation>
    </message>
    <message>
        <source>With draft tokens the KV cache has no size limit.</source>
        <translation>드래프트 토큰을 쓰면 KV 캐시에 크기 제한이 없습니다.</translation>
    </message>
    <message>
        <source>Choose among all models on this computer; unsuitable ones show the reason</source>
        <translation>이 컴퓨터의 모든 모델에서 고르기. 맞지 않는 모델에는 이유가 나옵니다</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>모든 모델</translation>
    </message>
    <message>
        <source>From the text itself (prompt lookup)</source>
        <translation>글 자체에서 (prompt lookup)</translation>
    </message>
    <message>
        <source>A model has to be open, and no run in progress.</source>
        <translation>모델이 열려 있고 진행 중인 실행이 없어야 합니다.</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more; the list shows the reasons.</source>
        <translation>
            <numerusform>… 그 밖에 %n개 더. 이유는 목록에 있습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no other model on this computer.</source>
        <translation>이 컴퓨터에 다른 모델이 없습니다.</translation>
    </message>
    <message>
        <source>from {least} to {most}</source>
        <translation>{least}~{most}</translation>
    </message>
    <message>
        <source>{besides} or from {least} to {most}</source>
        <translation>{besides} 또는 {least}~{most}</translation>
    </message>
    <message>
        <source>Number of last tokens that the penalty applies to; 0 means all.</source>
        <translation>페널티를 계산할 때 살피는 마지막 토큰의 수입니다. 0이면 모두 살핍니다.</translation>
    </message>
    <message>
        <source>Instructions before the conversation: the model&apos;s role, and how to answer.</source>
        <translation>대화 앞에 채팅 템플릿이 넣는 지시입니다. 모델의 역할과 답하는 방식을 정합니다.</translation>
    </message>
    <message>
        <source>It uses prompt tokens in every turn. After a change the whole conversation is prefilled again.</source>
        <translation>차례마다 프롬프트 토큰을 씁니다. 바꾸면 대화 전체를 다시 프리필합니다.</translation>
    </message>
    <message>
        <source>It controls the format better than an instruction: start with “{” for JSON, or with a list item.</source>
        <translation>말로 부탁하는 것보다 형식을 잘 이끕니다. JSON이면 “{”로, 목록이면 첫 항목으로 시작하세요.</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>인수</translation>
    </message>
    <message>
        <source>Randomness of sampling. 0 is greedy: always the most likely token.</source>
        <translation>샘플링의 무작위성입니다. 0이면 그리디: 항상 확률이 가장 높은 토큰을 고릅니다.</translation>
    </message>
    <message>
        <source>Low for facts and code, around 0.7 for varied text. Far above 1 the text becomes incoherent.</source>
        <translation>사실과 코드에는 낮게, 다양한 글에는 0.7쯤이 좋습니다. 1을 크게 넘으면 엉뚱한 토큰이 섞여 글이 무너집니다.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Nucleus sampling: keeps the most likely tokens whose probabilities add up to this value.</source>
        <translation>누클리어스 샘플링: 확률의 합이 이 값에 이를 때까지 확률이 높은 토큰만 남깁니다.</translation>
    </message>
    <message>
        <source>It removes the long tail of unlikely tokens. 0.9 to 0.95 is usual; 1 keeps all.</source>
        <translation>확률이 낮은 긴 꼬리를 없앱니다. 보통 0.9에서 0.95이며, 1이면 모두 남깁니다.</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Keeps this many of the most likely tokens; 0 keeps all.</source>
        <translation>확률이 높은 토큰을 이만큼 남깁니다. 0이면 모두 남깁니다.</translation>
    </message>
    <message>
        <source>The number is the same at every token, however certain the model is there.</source>
        <translation>모델이 얼마나 확신하는지와 관계없이 모든 자리에서 같은 수입니다.</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Removes tokens whose probability is below this share of the most likely token&apos;s.</source>
        <translation>가장 높은 확률에 이 비율을 곱한 값보다 확률이 낮은 토큰을 뺍니다.</translation>
    </message>
    <message>
        <source>It removes many tokens only where the model is certain. Try 0.05 with a high temperature.</source>
        <translation>모델이 확신하는 자리에서는 많이, 그렇지 않은 자리에서는 조금만 뺍니다. 높은 온도와 함께 0.05로 시작해 보세요.</translation>
    </message>
    <message>
        <source>Tokens to keep</source>
        <translation>남길 토큰</translation>
    </message>
    <message>
        <source>Top-nσ</source>
        <translation>Top-nσ</translation>
    </message>
    <message>
        <source>Keeps tokens whose logit is at most n standard deviations (σ) below the largest; 0 keeps all.</source>
        <translation>로짓이 가장 큰 로짓보다 표준편차(σ)의 n배 이내로 낮은 토큰만 남깁니다. 0이면 모두 남깁니다.</translation>
    </message>
    <message>
        <source>The kept tokens don&apos;t depend on the temperature. Try 1 with a high temperature.</source>
        <translation>남는 토큰은 온도와 관계없습니다. 온도가 높을 때 1로 시작해 보세요.</translation>
    </message>
    <message>
        <source>Probability that XTC acts at a token: it removes all tokens above the threshold but the least likely.</source>
        <translation>한 자리에 XTC를 적용할 확률입니다. 임계값을 넘는 토큰 가운데 확률이 가장 낮은 하나만 남기고 뺍니다.</translation>
    </message>
    <message>
        <source>It makes stories less predictable. Leave it at 0 for facts and code.</source>
        <translation>이야기를 덜 뻔하게 만듭니다. 사실과 코드에는 0으로 두세요.</translation>
    </message>
    <message>
        <source>Subtracted once from the logit of every token that occurred within the presence window.</source>
        <translation>존재 범위 안에서 한 번이라도 나온 토큰의 로짓에서 한 번 뺍니다.</translation>
    </message>
    <message>
        <source>Raise it for new words and topics.</source>
        <translation>새 낱말과 주제가 필요하면 높이세요.</translation>
    </message>
    <message>
        <source>Added to the logit of a token: 100 nearly forces it, -100 nearly forbids it.</source>
        <translation>토큰의 로짓에 더합니다. 100이면 거의 반드시 나오고 -100이면 거의 나오지 않습니다.</translation>
    </message>
    <message>
        <source>A word can be several tokens, with or without a space before it: ban each spelling.</source>
        <translation>한 단어라도 앞에 공백이 있는지에 따라 토큰이 다르고 여럿일 수 있으니, 쓰는 방법마다 막으세요.</translation>
    </message>
    <message>
        <source>Random seed. Same seed, prompt and settings: same tokens on the same computer and library versions.</source>
        <translation>난수 시드입니다. 같은 컴퓨터와 라이브러리 버전에서는 시드와 프롬프트와 설정이 같으면 같은 토큰이 나옵니다.</translation>
    </message>
    <message>
        <source>Empty: a new seed for each run. Fix it to compare settings.</source>
        <translation>비워 두면 실행마다 새 시드를 씁니다. 설정을 비교할 때는 고정하세요.</translation>
    </message>
    <message>
        <source>Prompt lookup tokens</source>
        <translation>Prompt lookup 토큰</translation>
    </message>
    <message>
        <source>Number of tokens that prompt lookup proposes in each step: the text after an earlier match.</source>
        <translation>Prompt lookup이 단계마다 제안하는 토큰 수입니다. 앞에서 같은 부분 다음에 온 글을 제안합니다.</translation>
    </message>
    <message>
        <source>Automatic proposes only as many as pay on this computer. The output is unchanged, up to rounding.</source>
        <translation>자동은 이 컴퓨터에서 이득이 되는 만큼만 제안합니다. 반올림을 빼면 출력은 바뀌지 않습니다.</translation>
    </message>
    <message>
        <source>Number of prompt tokens that are prefilled in one pass. 0 is automatic, by the measured speed.</source>
        <translation>한 번의 패스로 프리필하는 프롬프트 토큰 수. 0이면 측정된 속도에 따라 자동으로 정합니다.</translation>
    </message>
    <message>
        <source>Keeps the keys and values of all tokens, so that they aren&apos;t computed again for each new token.</source>
        <translation>지금까지의 모든 토큰의 키와 값을 보관해, 새 토큰마다 다시 계산하지 않게 합니다.</translation>
    </message>
    <message>
        <source>Turn it off only to measure its effect.</source>
        <translation>효과를 재어 볼 때에만 끄세요.</translation>
    </message>
    <message>
        <source>KV cache reuse</source>
        <translation>KV 캐시 재사용</translation>
    </message>
    <message>
        <source>Shortens the time to first token. In half precision, rounding may change the text; not in float32.</source>
        <translation>긴 대화일수록 첫 토큰까지의 시간이 짧아집니다. 반정밀도에서는 반올림 때문에 글이 달라질 수 있고, float32에서는 그대로입니다.</translation>
    </message>
    <message>
        <source>Bits per number in a quantized KV cache. Fewer bits use less memory and are less exact.</source>
        <translation>양자화한 KV 캐시의 숫자당 비트 수입니다. 적을수록 메모리를 덜 쓰고 덜 정확합니다.</translation>
    </message>
    <message>
        <source>The text may change. An experiment measures the effect on memory, speed and text.</source>
        <translation>글이 달라질 수 있습니다. 메모리, 속도, 글에 주는 영향을 재는 실험이 있습니다.</translation>
    </message>
    <message>
        <source>KV quantized from</source>
        <translation>KV 양자화 시작</translation>
    </message>
    <message>
        <source>Token after which the KV cache is quantized.</source>
        <translation>이 토큰 뒤부터 KV 캐시를 양자화합니다.</translation>
    </message>
    <message>
        <source>Size of a rotating KV cache, in tokens. It keeps the first 4 tokens and the most recent ones.</source>
        <translation>회전하는 KV 캐시의 크기(토큰)입니다. 처음 4개와 가장 최근의 토큰을 남깁니다.</translation>
    </message>
    <message>
        <source>It limits memory use, but the model no longer sees the tokens that were dropped.</source>
        <translation>메모리를 제한하지만, 모델은 밀려난 토큰을 더는 보지 못합니다.</translation>
    </message>
    <message>
        <source>XTC probability</source>
        <translation>XTC 확률</translation>
    </message>
    <message>
        <source>XTC threshold</source>
        <translation>XTC 임계값</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>반복 페널티</translation>
    </message>
    <message>
        <source>Above 1 makes tokens that already occurred less likely, below 1 more likely.</source>
        <translation>1보다 크면 이미 나온 토큰의 확률이 낮아지고, 1보다 작으면 높아집니다.</translation>
    </message>
    <message>
        <source>1.05 to 1.2 helps against repetition. More also penalizes commas, names and “the”.</source>
        <translation>1.05에서 1.2면 되풀이를 막는 데 도움이 됩니다. 더 크면 쉼표와 이름, “the”까지 벌점을 받아 글이 나빠집니다.</translation>
    </message>
    <message>
        <source>Repetition window</source>
        <translation>반복 범위</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>존재 페널티</translation>
    </message>
    <message>
        <source>Presence window</source>
        <translation>존재 범위</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>빈도 페널티</translation>
    </message>
    <message>
        <source>Frequency window</source>
        <translation>빈도 범위</translation>
    </message>
    <message>
        <source>Greedy output is unchanged, up to rounding. Above temperature 0, a fixed number of draft tokens gives another text of the same distribution. Faster only if most proposals are accepted.</source>
        <translation>온도 0의 출력은 반올림을 빼면 그대로입니다. 온도가 0보다 높을 때 드래프트 토큰 수를 고정하면 분포는 같지만 글이 달라집니다. 제안이 대부분 수락될 때에만 빨라집니다.</translation>
    </message>
    <message>
        <source>Automatic proposes only as many as pay on this computer. 0 turns the draft model off.</source>
        <translation>자동은 이 컴퓨터에서 이득이 되는 만큼만 제안합니다. 0은 드래프트 모델을 끕니다.</translation>
    </message>
    <message>
        <source>Stream interval</source>
        <translation>스트림 간격</translation>
    </message>
    <message>
        <source>KV cache size</source>
        <translation>KV 캐시 크기</translation>
    </message>
    <message>
        <source>{name} must be {limits}, and is {value}.</source>
        <translation>{name}에 쓸 수 있는 값은 {limits}인데 {value}입니다.</translation>
    </message>
    <message>
        <source>{name} must be a whole number {limits}, and is {value}.</source>
        <translation>{name}에 쓸 수 있는 값은 정수 {limits}인데 {value}입니다.</translation>
    </message>
    <message>
        <source>Set it within these limits. {explanation}</source>
        <translation>이 범위 안에서 설정하세요. {explanation}</translation>
    </message>
    <message>
        <source>{name} must be one of {choices}, and is {value}.</source>
        <translation>{name}에 쓸 수 있는 값은 {choices} 중 하나인데 {value}입니다.</translation>
    </message>
    <message>
        <source>Choose one of these.</source>
        <translation>이 가운데 하나를 고르세요.</translation>
    </message>
    <message>
        <source>{name} must be below the model&apos;s {vocabulary} tokens, and is {value}.</source>
        <translation>{name} 값은 모델의 토큰 수 {vocabulary}보다 작아야 하는데 {value}입니다.</translation>
    </message>
    <message>
        <source>Set it to {most} or less.</source>
        <translation>{most} 이하로 설정하세요.</translation>
    </message>
    <message>
        <source>The prompt</source>
        <translation>프롬프트</translation>
    </message>
    <message>
        <source>{name} contains token {token}, which this model does not have.</source>
        <translation>{name}에 있는 토큰 {token}은(는) 이 모델에 없습니다.</translation>
    </message>
    <message>
        <source>Use token ids from 0 to {most}.</source>
        <translation>0에서 {most}까지의 토큰 ID를 쓰세요.</translation>
    </message>
    <message>
        <source>Every token</source>
        <translation>토큰마다</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>간격마다</translation>
    </message>
    <message>
        <source>Only at the end</source>
        <translation>끝에 한 번만</translation>
    </message>
    <message>
        <source>Show text every N tokens; generation is unchanged. “Only at the end” is like mlx-lm&apos;s generate().</source>
        <translation>N개 토큰마다 글을 보여 줍니다. 생성 자체는 같습니다. “끝에 한 번만”은 mlx-lm의 generate()와 같습니다.</translation>
    </message>
    <message>
        <source>Tokens at a time</source>
        <translation>한 번에 나올 토큰 수</translation>
    </message>
    <message>
        <source>Quantized numbers that share one scale. The model&apos;s head size must be a multiple of it.</source>
        <translation>스케일 하나를 함께 쓰는 숫자의 수입니다. 모델의 헤드 크기가 이 수의 배수여야 합니다.</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 캐시</translation>
    </message>
    <message>
        <source>KV bits</source>
        <translation>KV 비트</translation>
    </message>
    <message>
        <source>Neutral: not quantized.</source>
        <translation>기본값: 양자화하지 않음.</translation>
    </message>
    <message>
        <source>As is</source>
        <translation>그대로</translation>
    </message>
    <message numerus="yes">
        <source>%n bits</source>
        <comment>%n bit</comment>
        <translation>
            <numerusform>%n비트</numerusform>
        </translation>
    </message>
    <message>
        <source>This model&apos;s head size is {size}, which isn&apos;t a multiple of the group size.</source>
        <translation>이 모델의 헤드 크기는 {size}이며, 그룹 크기의 배수가 아닙니다.</translation>
    </message>
    <message>
        <source>KV group size</source>
        <translation>KV 그룹 크기</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>제한 없음</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 토큰</translation>
    </message>
    <message>
        <source>0: no reasoning. One step below 0: no limit.</source>
        <translation>0: 추론 없음. 0에서 한 칸 아래: 한도 없음.</translation>
    </message>
    <message>
        <source>Max tokens</source>
        <translation>최대 토큰</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>제한 없음</translation>
    </message>
    <message>
        <source>From 1 to 1,000,000; 0: until the context window is full.</source>
        <translation>1~1,000,000. 0이면 컨텍스트가 찰 때까지 이어집니다.</translation>
    </message>
    <message>
        <source>{room}: a run ends there, before max tokens.</source>
        <translation>{room}. 실행이 최대 토큰 수에 이르기 전에 거기서 끝납니다.</translation>
    </message>
    <message>
        <source>{context} tokens in the context window, for the conversation and the answer</source>
        <translation>대화와 답변에 쓸 컨텍스트 윈도우: {context}토큰</translation>
    </message>
    <message>
        <source>About {memory} tokens fit into memory</source>
        <translation>메모리에 약 {memory}토큰이 들어갑니다</translation>
    </message>
    <message>
        <source>{context} tokens fit into the context window</source>
        <translation>컨텍스트 창에 {context}토큰이 들어갑니다</translation>
    </message>
    <message>
        <source>Max tokens, approximate</source>
        <translation>최대 토큰(대략)</translation>
    </message>
    <message>
        <source>The mark shows the largest value that fits into the context window and memory.</source>
        <translation>눈금은 컨텍스트 창과 메모리에 들어가는 가장 큰 값을 나타냅니다.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>이름</translation>
    </message>
    <message>
        <source>A name (Enter: save, Esc: cancel)</source>
        <translation>이름(Enter로 저장, Esc로 취소)</translation>
    </message>
    <message>
        <source>Use this name</source>
        <translation>이 이름으로</translation>
    </message>
    <message>
        <source>From {least} to {most}: {why}</source>
        <translation>{least}~{most}: {why}</translation>
    </message>
    <message>
        <source>A whole number, from {least} to {most}.</source>
        <translation>정수: {least}~{most}.</translation>
    </message>
    <message>
        <source>A whole number: {besides}, or from {least} to {most}.</source>
        <translation>정수: {besides} 또는 {least}~{most}.</translation>
    </message>
    <message>
        <source>A number: {besides}, or from {least} to {most}.</source>
        <translation>수: {besides} 또는 {least}~{most}.</translation>
    </message>
    <message>
        <source>A number, from {least} to {most}.</source>
        <translation>수: {least}~{most}.</translation>
    </message>
    <message>
        <source>{setting}, approximate</source>
        <translation>{setting}, 대략</translation>
    </message>
    <message numerus="yes">
        <source>the vocabulary has %n tokens.</source>
        <comment>the vocabulary has %n token.</comment>
        <translation>
            <numerusform>어휘는 토큰 %n개입니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>From {least} to {most}. Neutral: {neutral}.</source>
        <translation>{least}~{most}. 기본값: {neutral}.</translation>
    </message>
    <message>
        <source>{besides}, or from {least} to {most}. Neutral: {neutral}.</source>
        <translation>{besides} 또는 {least}~{most}. 기본값: {neutral}.</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>시스템 프롬프트</translation>
    </message>
    <message>
        <source>Instructions for the model</source>
        <translation>모델에 주는 지시</translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n개 바뀜</numerusform>
        </translation>
    </message>
    <message>
        <source>Shows how much of the model&apos;s context is in use.</source>
        <translation>모델의 컨텍스트를 얼마나 쓰고 있는지 보여 줍니다.</translation>
    </message>
    <message>
        <source>The server did not count the tokens of this run.</source>
        <translation>서버가 이 실행의 토큰을 세지 않았습니다.</translation>
    </message>
    <message>
        <source>The next run counts the tokens of this conversation.</source>
        <translation>이 대화의 토큰은 다음 실행에서 셉니다.</translation>
    </message>
    <message>
        <source>{used} tokens used, up to {reserve} more in this run. The context length is not known.</source>
        <translation>토큰 {used}개 사용, 이 실행에서 최대 {reserve}개 더. 컨텍스트 길이를 알 수 없습니다.</translation>
    </message>
    <message>
        <source>{used} tokens used, up to {reserve} more in this run. Context length {length}, {free} free.</source>
        <translation>토큰 {used}개 사용, 이 실행에서 최대 {reserve}개 더. 컨텍스트 길이 {length}, 여유 {free}.</translation>
    </message>
    <message>
        <source>used {count}</source>
        <translation>사용 {count}</translation>
    </message>
    <message>
        <source>up to max tokens {count}</source>
        <translation>최대 토큰까지 {count}</translation>
    </message>
    <message>
        <source>free {count}</source>
        <translation>여유 {count}</translation>
    </message>
    <message>
        <source>context length unknown</source>
        <translation>컨텍스트 길이 알 수 없음</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>컨텍스트 길이</translation>
    </message>
    <message>
        <source>Tokens used</source>
        <translation>사용한 토큰</translation>
    </message>
    <message>
        <source>Up to max tokens</source>
        <translation>최대 토큰까지</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>여유</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>모름</translation>
    </message>
    <message>
        <source>The context is full: start a new session or remove turns.</source>
        <translation>컨텍스트가 가득 찼습니다. 새 세션을 시작하거나 차례를 지우세요.</translation>
    </message>
    <message>
        <source>The context is {share} full.</source>
        <translation>컨텍스트가 {share} 찼습니다.</translation>
    </message>
    <message>
        <source>Settings of the next run</source>
        <translation>다음 실행의 설정</translation>
    </message>
    <message>
        <source>not in Raw mode</source>
        <translation>Raw 모드에서는 쓰지 않음</translation>
    </message>
    <message>
        <source>All other controls: sampling, stop conditions, output format, KV cache, draft model</source>
        <translation>그 밖의 모든 설정: 샘플링, 종료 조건, 출력 형식, KV 캐시, 드래프트 모델</translation>
    </message>
    <message>
        <source>Fewer ▴</source>
        <translation>간단히 ▴</translation>
    </message>
    <message>
        <source>More ▾</source>
        <translation>더 보기 ▾</translation>
    </message>
    <message>
        <source>More controls</source>
        <translation>설정 더 보기</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>샘플링</translation>
    </message>
    <message>
        <source>End</source>
        <translation>종료</translation>
    </message>
    <message>
        <source>Penalties</source>
        <translation>페널티</translation>
    </message>
    <message>
        <source>Logit bias</source>
        <translation>로짓 편향</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>프리셋</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>실행 취소</translation>
    </message>
    <message>
        <source>Sets all sampling values at once; your own presets set max tokens and stop strings, too</source>
        <translation>샘플링 값을 한꺼번에 정합니다. 내 프리셋은 최대 토큰과 중지 문자열도 정합니다</translation>
    </message>
    <message>
        <source>Reset all values to the preset</source>
        <translation>모든 값을 프리셋으로 되돌리기</translation>
    </message>
    <message>
        <source>Some values differ from the preset. Reset all of them.</source>
        <translation>프리셋과 다른 값이 있습니다. 모두 되돌립니다.</translation>
    </message>
    <message>
        <source>Restore the preset that was just deleted</source>
        <translation>방금 삭제한 프리셋을 되살립니다</translation>
    </message>
    <message>
        <source>Restore the preset</source>
        <translation>프리셋 되살리기</translation>
    </message>
    <message>
        <source>Reset to Preset</source>
        <translation>프리셋으로 되돌리기</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>저장</translation>
    </message>
    <message>
        <source>Save as New…</source>
        <translation>새로 저장…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>이름 바꾸기…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>삭제</translation>
    </message>
    <message>
        <source>With the Adapter</source>
        <translation>어댑터와 함께</translation>
    </message>
    <message>
        <source>Apply When This Model Is Loaded</source>
        <translation>이 모델을 불러올 때 적용</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>가져오기…</translation>
    </message>
    <message>
        <source>Export Your Own…</source>
        <translation>내 프리셋 내보내기…</translation>
    </message>
    <message>
        <source>Name of the new preset</source>
        <translation>새 프리셋의 이름</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>새 이름</translation>
    </message>
    <message>
        <source>Actions for presets</source>
        <translation>프리셋 작업</translation>
    </message>
    <message>
        <source>Save, rename, delete, restore, import, export</source>
        <translation>저장, 이름 바꾸기, 삭제, 되돌리기, 가져오기, 내보내기</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>Use the last run&apos;s seed</source>
        <translation>지난 실행의 시드 사용</translation>
    </message>
    <message>
        <source>A new seed for each run</source>
        <translation>실행마다 새 시드</translation>
    </message>
    <message>
        <source>New each run</source>
        <translation>실행마다 새로</translation>
    </message>
    <message>
        <source>Each run records its seed.</source>
        <translation>실행마다 쓴 시드가 기록됩니다.</translation>
    </message>
    <message>
        <source>Use last: {seed}</source>
        <translation>지난 시드: {seed}</translation>
    </message>
    <message>
        <source>Stop strings</source>
        <translation>중지 문자열</translation>
    </message>
    <message>
        <source>One per line; \n is a newline</source>
        <translation>한 줄에 하나씩. \n은 줄 바꿈</translation>
    </message>
    <message>
        <source>Stops at {strings}</source>
        <translation>{strings}에서 멈춥니다</translation>
    </message>
    <message>
        <source>“{escape}” is no escape sequence, so it is taken literally; a backslash is \\.</source>
        <translation>“{escape}”은(는) 이스케이프가 아니므로 글자 그대로 씁니다. 백슬래시는 \\입니다.</translation>
    </message>
    <message>
        <source>At most {most} stop strings of {longest} characters are allowed; others are ignored.</source>
        <translation>중지 문자열은 각각 {longest}자, 모두 {most}개까지입니다. 나머지는 빠집니다.</translation>
    </message>
    <message>
        <source>“{string}” is listed twice.</source>
        <translation>“{string}”이(가) 두 번 있습니다.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>기본</translation>
    </message>
    <message>
        <source>The model continues from this text. Its tokens are part of the prompt.</source>
        <translation>모델이 이 글에서 이어 씁니다. 그 토큰은 프롬프트에 들어갑니다.</translation>
    </message>
    <message>
        <source>Reply prefix</source>
        <translation>답변의 시작</translation>
    </message>
    <message>
        <source>The chat template reads “{name}”. Default: the template decides.</source>
        <translation>채팅 템플릿이 “{name}”을(를) 읽습니다. 기본: 템플릿에 정해진 대로.</translation>
    </message>
    <message>
        <source>Default (a number)</source>
        <translation>기본(숫자)</translation>
    </message>
    <message>
        <source>On</source>
        <translation>켬</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>끔</translation>
    </message>
    <message>
        <source>This model&apos;s template reads no arguments.</source>
        <translation>이 모델의 템플릿은 인수를 읽지 않습니다.</translation>
    </message>
    <message>
        <source>Lists and mappings can&apos;t be set here: {names}.</source>
        <translation>목록과 매핑은 여기서 정할 수 없습니다: {names}.</translation>
    </message>
    <message>
        <source>The first words of the answer</source>
        <translation>답변의 첫 단어들</translation>
    </message>
    <message>
        <source>{tokens}: text or #id</source>
        <translation>{tokens}: 글 또는 #ID</translation>
    </message>
    <message>
        <source>Text or #id, then Enter</source>
        <translation>글 또는 #ID, 그다음 Enter</translation>
    </message>
    <message>
        <source>The text of one token, including whitespace (\n is a newline), or # and an id</source>
        <translation>토큰 하나인 글(공백 포함, \n은 줄 바꿈) 또는 #과 ID</translation>
    </message>
    <message>
        <source>This text has no tokens.</source>
        <translation>이 글에는 토큰이 없습니다.</translation>
    </message>
    <message numerus="yes">
        <source>“{text}” is %n tokens. Pick the one you mean:</source>
        <translation>
            <numerusform>“{text}”은(는) 토큰 %n개입니다. 하나를 고르세요:</numerusform>
        </translation>
    </message>
    <message>
        <source>Open a model first: its tokenizer is needed.</source>
        <translation>먼저 모델을 여세요. 모델의 토크나이저가 필요합니다.</translation>
    </message>
    <message>
        <source>This model&apos;s ids go from 0 to {last}.</source>
        <translation>이 모델의 ID는 0부터 {last}까지입니다.</translation>
    </message>
    <message>
        <source>Looking it up…</source>
        <translation>찾는 중…</translation>
    </message>
    <message>
        <source>Token {id}, {text}</source>
        <translation>토큰 {id}, {text}</translation>
    </message>
    <message>
        <source>Token ids that end a run, in addition to the model&apos;s EOS tokens.</source>
        <translation>모델의 EOS 토큰 외에 실행을 끝내는 토큰 ID입니다.</translation>
    </message>
    <message>
        <source>not in this model</source>
        <translation>이 모델에 없음</translation>
    </message>
    <message>
        <source>Remove token {id}</source>
        <translation>토큰 {id} 빼기</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>목록에서 빼기</translation>
    </message>
    <message>
        <source>It is already in the list.</source>
        <translation>이미 목록에 있습니다.</translation>
    </message>
    <message>
        <source>Stop tokens</source>
        <translation>중지 토큰</translation>
    </message>
    <message>
        <source>Bias of token {id}</source>
        <translation>토큰 {id}의 편향</translation>
    </message>
    <message>
        <source>Varied setting {number}</source>
        <translation>바꾸어 볼 설정 {number}</translation>
    </message>
    <message>
        <source>Values of the varied setting {number}</source>
        <translation>바꾸어 볼 설정 {number}의 값</translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation>아직 실행하지 않음</translation>
    </message>
    <message>
        <source>A server ends its answers itself, so they can&apos;t run to max tokens.</source>
        <translation>답변은 서버가 직접 끝내므로, 한도까지 쓰게 할 수 없습니다.</translation>
    </message>
    <message>
        <source>Choose a model on this machine.</source>
        <translation>이 컴퓨터에 있는 모델을 고르세요.</translation>
    </message>
    <message>
        <source>Max tokens is {most}, too few to compare with a run of {few}.</source>
        <translation>최대 토큰이 {most}이어서 {few}개짜리 실행과 비교할 것이 없습니다.</translation>
    </message>
    <message>
        <source>Set max tokens to more than {few}.</source>
        <translation>최대 토큰을 {few}보다 크게 설정하세요.</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <comment>%n token</comment>
        <translation>
            <numerusform>토큰 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>no: the last {few} of {many} tokens are {speed}</source>
        <translation>아니요. 토큰 {many}개 가운데 마지막 {few}개는 {speed}입니다</translation>
    </message>
    <message>
        <source>yes: the last {few} of {many} tokens are {speed}</source>
        <translation>예. 토큰 {many}개 가운데 마지막 {few}개는 {speed}입니다</translation>
    </message>
    <message>
        <source>{number} tok/s per 100 tokens</source>
        <translation>토큰 100개마다 {number} 토큰/초</translation>
    </message>
    <message>
        <source>trend within the longest run</source>
        <translation>가장 긴 실행 안의 추세</translation>
    </message>
    <message>
        <source>within the longest run the speed rises by {speed} tok/s per 100 tokens</source>
        <translation>가장 긴 실행 안에서는 토큰 100개마다 {speed} 토큰/초씩 빨라집니다</translation>
    </message>
    <message>
        <source>within the longest run the speed falls by {speed} tok/s per 100 tokens</source>
        <translation>가장 긴 실행 안에서는 토큰 100개마다 {speed} 토큰/초씩 느려집니다</translation>
    </message>
    <message>
        <source>Does length cost speed?</source>
        <translation>길어지면 느려지나요?</translation>
    </message>
    <message>
        <source>Is the decode speed of a long answer lower than that of a short one?</source>
        <translation>긴 답변은 짧은 답변보다 토큰당 속도가 느린가요?</translation>
    </message>
    <message>
        <source>Text of the chosen cell</source>
        <translation>선택한 칸의 글</translation>
    </message>
    <message>
        <source>Each round has its own seed, which is the same in every cell</source>
        <translation>라운드마다 시드가 다르고, 모든 칸에서 같습니다</translation>
    </message>
    <message>
        <source>The text for each pair of settings</source>
        <translation>두 설정의 조합마다 나온 글</translation>
    </message>
    <message>
        <source>Texts of the grid</source>
        <translation>표의 글</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>세부 정보</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>회차</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>실험</translation>
    </message>
    <message>
        <source>Number of rounds. Variants alternate in each round, so that drift affects them equally.</source>
        <translation>갈래마다 실행할 횟수입니다. 라운드마다 갈래를 번갈아 실행하므로 시간에 따른 변화의 영향이 같습니다.</translation>
    </message>
    <message>
        <source>Not available: this setting is varied above.</source>
        <translation>사용할 수 없음: 위에서 바꾸어 가며 재는 설정입니다.</translation>
    </message>
    <message>
        <source>The values, separated by commas: 0, 0.7, 1</source>
        <translation>쉼표로 구분한 값: 0, 0.7, 1</translation>
    </message>
    <message>
        <source>The experiment, its prompt and its settings</source>
        <translation>실험과 그 프롬프트, 설정</translation>
    </message>
    <message>
        <source>“Compare Quantizations…” in the menu Experiments compares this model with quantized copies of it.</source>
        <translation>실험 메뉴의 “양자화 비교…”는 이 모델을 양자화한 사본과 비교합니다.</translation>
    </message>
    <message>
        <source>Form of the experiment</source>
        <translation>실험 양식</translation>
    </message>
    <message>
        <source>Measured experiment</source>
        <translation>무엇을 측정하는지</translation>
    </message>
    <message>
        <source>The prompt, the same in every variant</source>
        <translation>모든 갈래에서 같은 프롬프트</translation>
    </message>
    <message>
        <source>One per line. Escapes: \n \t \r \\</source>
        <translation>한 줄에 하나씩. 이스케이프: \n \t \r \\</translation>
    </message>
    <message>
        <source>Second model</source>
        <translation>두 번째 모델</translation>
    </message>
    <message>
        <source>The model that this one is compared with</source>
        <translation>지금 모델과 비교할 모델</translation>
    </message>
    <message>
        <source>Searching for models on this computer…</source>
        <translation>이 컴퓨터의 모델을 살펴보는 중…</translation>
    </message>
    <message>
        <source>No other model is on this computer. Download one with “Open Model…”.</source>
        <translation>이 컴퓨터에 다른 모델이 없습니다. “모델 열기…”에서 내려받으세요.</translation>
    </message>
    <message>
        <source>Varied settings and their values</source>
        <translation>바꿀 설정과 그 값</translation>
    </message>
    <message>
        <source>A setting in which the variants differ</source>
        <translation>갈래마다 다른 설정</translation>
    </message>
    <message>
        <source>the number at {place} is too large</source>
        <translation>{place}: 수가 너무 큽니다</translation>
    </message>
    <message>
        <source>{place} has {count} items, not {wanted}</source>
        <translation>{place}: 항목이 {wanted}개가 아니라 {count}개입니다</translation>
    </message>
    <message>
        <source>this</source>
        <translation>이 값</translation>
    </message>
    <message>
        <source>{place} has an unpaired surrogate</source>
        <translation>{place}에 짝이 없는 서로게이트가 있습니다</translation>
    </message>
    <message>
        <source>{place} is not a list</source>
        <translation>{place}: 목록이 아닙니다</translation>
    </message>
    <message>
        <source>{place} is not an object</source>
        <translation>{place}: 객체가 아닙니다</translation>
    </message>
    <message>
        <source>{place} is unknown</source>
        <translation>{place}: 알 수 없는 항목입니다</translation>
    </message>
    <message>
        <source>{place} is missing</source>
        <translation>{place}: 빠져 있습니다</translation>
    </message>
    <message>
        <source>{place} is not one of {choices}</source>
        <translation>{place}: {choices} 중 하나가 아닙니다</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>{place} is {said}; expected {wanted}</source>
        <translation>{place}: {wanted} 값이어야 하는데 {said}입니다</translation>
    </message>
    <message>
        <source>Speed at each token, as the mean over the {count} tokens before and after it. One curve per variant: its run of median speed</source>
        <translation>각 토큰의 속도(앞뒤 토큰 {count}개의 평균). 갈래마다 곡선 하나: 속도가 중앙값인 실행</translation>
    </message>
    <message>
        <source>Speed over the text</source>
        <translation>글을 따라 본 속도</translation>
    </message>
    <message numerus="yes">
        <source>Warm-up (excluded): %n runs at {least}–{most} tok/s</source>
        <translation>
            <numerusform>준비 실행(제외): %n회, {least}–{most} 토큰/초</numerusform>
        </translation>
    </message>
    <message>
        <source>Metrics of the variants</source>
        <translation>갈래별 수치</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>그래프</translation>
    </message>
    <message>
        <source>The plotted metric or curves</source>
        <translation>그래프로 그릴 수치 또는 곡선</translation>
    </message>
    <message>
        <source>Warm-up runs (excluded): {runs}</source>
        <translation>준비 실행(제외): {runs}</translation>
    </message>
    <message>
        <source>not defined yet</source>
        <translation>아직 없음</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>수치</translation>
    </message>
    <message>
        <source>{share} of the measured bandwidth limit</source>
        <translation>측정한 대역폭 한계의 {share}</translation>
    </message>
    <message>
        <source>TTFT 88.8 s · 88,888 tokens · 88 min 8 s</source>
        <translation>TTFT 88.8초 · 88,888 토큰 · 88분 8초</translation>
    </message>
    <message>
        <source>tok/s mean</source>
        <translation>평균 토큰/초</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>token</source>
        <translation>토큰</translation>
    </message>
    <message>
        <source>Run of {model}</source>
        <translation>{model}의 실행</translation>
    </message>
    <message>
        <source>Share of the bandwidth limit</source>
        <translation>대역폭 한계 대비 비율</translation>
    </message>
    <message>
        <source>First differences</source>
        <translation>첫 차이</translation>
    </message>
    <message>
        <source>Equal in all columns</source>
        <translation>모든 열에서 같은 값</translation>
    </message>
    <message>
        <source>Speed (tok/s)</source>
        <translation>속도(토큰/초)</translation>
    </message>
    <message>
        <source>Surprisal (bits)</source>
        <translation>놀라움(비트)</translation>
    </message>
    <message>
        <source>Prompt of {column}</source>
        <translation>{column}의 프롬프트</translation>
    </message>
    <message>
        <source>{column}: difference</source>
        <translation>{column}: 차이</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>값</translation>
    </message>
    <message numerus="yes">
        <source>%n more tokens.</source>
        <comment>%n more token.</comment>
        <translation>
            <numerusform>토큰 %n개가 더 있습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The less likely a token, the stronger its background. Tokens that differ from A have a frame.</source>
        <translation>확률이 낮은 토큰일수록 배경이 진합니다. A와 다른 토큰에는 테두리가 있습니다.</translation>
    </message>
    <message>
        <source>Choose two different ones of: {names}.</source>
        <translation>다음 가운데 서로 다른 두 가지를 고르세요: {names}.</translation>
    </message>
    <message>
        <source>A grid needs two sampling settings.</source>
        <translation>격자에는 샘플링 설정이 두 가지 있어야 합니다.</translation>
    </message>
    <message>
        <source>batches of {count} were {speed}</source>
        <translation>{count}개씩 배치로 실행하면 {speed}입니다</translation>
    </message>
    <message>
        <source>the same cells one by one</source>
        <translation>같은 칸을 하나씩 실행할 때</translation>
    </message>
    <message>
        <source>Batches</source>
        <translation>배치</translation>
    </message>
    <message>
        <source>How do two sampling settings change the text: its variety, length and finish reason?</source>
        <translation>두 가지 샘플링 설정에 따라 글과 그 다양성, 길이, 끝맺음이 어떻게 달라지나요?</translation>
    </message>
    <message>
        <source>One by one (tok/s)</source>
        <translation>하나씩 (토큰/초)</translation>
    </message>
    <message>
        <source>At once (tok/s)</source>
        <translation>한꺼번에 (토큰/초)</translation>
    </message>
    <message>
        <source>Same tokens</source>
        <translation>토큰이 같음</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>글</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>칸</translation>
    </message>
    <message>
        <source>Which sampling?</source>
        <translation>어떤 샘플링이 좋은가요?</translation>
    </message>
    <message>
        <source>Cells</source>
        <translation>칸</translation>
    </message>
    <message>
        <source>Receipt…</source>
        <translation>실행 내역…</translation>
    </message>
    <message>
        <source>Receipt of the run</source>
        <translation>실행 내역</translation>
    </message>
    <message>
        <source>Python script or command that repeats this run</source>
        <translation>이 실행을 다시 하는 Python 스크립트나 명령</translation>
    </message>
    <message>
        <source>All inputs of this run: copy them, or rerun and compare</source>
        <translation>이 실행을 결정한 모든 것. 복사하거나 재현할 수 있습니다</translation>
    </message>
    <message>
        <source>Export the tokens with their times, probabilities and alternatives as JSON or CSV</source>
        <translation>이 실행의 토큰을 시간, 확률, 후보와 함께 JSON이나 CSV로</translation>
    </message>
    <message>
        <source>Start an experiment with this prompt and these settings, and change one of them</source>
        <translation>설정을 바꾸면 무엇이 달라지는지 이 실행의 프롬프트와 설정으로 실험합니다</translation>
    </message>
    <message>
        <source>Record the most probable alternatives of each token from the next run on</source>
        <translation>다음 실행부터 토큰마다 확률이 가장 높은 대안을 기록합니다</translation>
    </message>
    <message>
        <source>Export tokens…</source>
        <translation>토큰 내보내기…</translation>
    </message>
    <message>
        <source>Try this with…</source>
        <translation>이 실행으로 시험…</translation>
    </message>
    <message>
        <source>Finish reason: {reason}</source>
        <translation>종료 이유: {reason}</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>세부 정보</translation>
    </message>
    <message>
        <source>Code of the run</source>
        <translation>실행 코드</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>갈래</translation>
    </message>
    <message>
        <source>First different token</source>
        <translation>처음 다른 토큰</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>조건</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>내보낸 시각</translation>
    </message>
    <message>
        <source>Ending</source>
        <translation>종료</translation>
    </message>
    <message>
        <source>Median, and the range where the runs differ.</source>
        <translation>중앙값이며, 실행마다 다르면 범위도 적었습니다.</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Curves of the first {drawn} of {all} variants; the table has all.</source>
        <translation>갈래 {all}개 가운데 처음 {drawn}개의 곡선입니다. 표에는 모두 있습니다.</translation>
    </message>
    <message>
        <source>Texts by settings</source>
        <translation>설정별 글</translation>
    </message>
    <message>
        <source>The full text of the chosen cell</source>
        <translation>고른 칸의 전체 글</translation>
    </message>
    <message>
        <source>The answer to the question appears here in one sentence, with its direction, size and confidence interval. Below it are the metrics, the speed curve and the text of each variant, already during the experiment.</source>
        <translation>질문에 대한 답이 방향, 크기, 신뢰 구간과 함께 한 문장으로 여기에 나타납니다. 그 아래에는 실험 중에도 각 갈래의 지표, 속도 곡선, 텍스트가 있습니다.</translation>
    </message>
    <message>
        <source>The metrics and the text of each variant appear here after its first run.</source>
        <translation>각 갈래의 지표와 텍스트는 첫 실행이 끝나면 여기에 나타납니다.</translation>
    </message>
    <message>
        <source>Choose a cell to read its full text.</source>
        <translation>칸을 고르면 전체 글을 읽을 수 있습니다.</translation>
    </message>
    <message>
        <source>Conclusion: {sentence}</source>
        <translation>결론: {sentence}</translation>
    </message>
    <message>
        <source>Conclusion: none yet</source>
        <translation>결론: 아직 없음</translation>
    </message>
    <message>
        <source>Further tables of this experiment</source>
        <translation>이 실험의 다른 표</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>결과</translation>
    </message>
    <message>
        <source>{name} {speed} tok/s</source>
        <translation>{name} {speed} 토큰/초</translation>
    </message>
    <message>
        <source>The first run</source>
        <translation>첫 번째 실행</translation>
    </message>
    <message>
        <source>The second run</source>
        <translation>두 번째 실행</translation>
    </message>
    <message>
        <source>Text of the first run</source>
        <translation>첫 번째 실행의 글</translation>
    </message>
    <message>
        <source>Text of the second run</source>
        <translation>두 번째 실행의 글</translation>
    </message>
    <message>
        <source>Run this experiment with few and short rounds</source>
        <translation>이 실험을 짧은 라운드 몇 번으로 실행합니다</translation>
    </message>
    <message>
        <source>Compare settings, speed, tokens and curves of all variants in a window of its own</source>
        <translation>모든 갈래의 설정, 속도, 토큰, 곡선을 별도의 창에서 비교</translation>
    </message>
    <message>
        <source>Compare variants…</source>
        <translation>갈래 비교…</translation>
    </message>
    <message>
        <source>The diff appears here once two runs are finished.</source>
        <translation>실행이 둘 끝나면 차이가 여기에 나옵니다.</translation>
    </message>
    <message>
        <source>Underlined: draft tokens that were accepted. Struck through: draft tokens that were rejected</source>
        <translation>밑줄: 수락된 드래프트 토큰. 취소선: 거부된 드래프트 토큰</translation>
    </message>
    <message>
        <source>{accepted} draft words accepted, {rejected} rejected.</source>
        <translation>드래프트 토큰 {accepted}개 수락, {rejected}개 거부.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>비교하는 중…</translation>
    </message>
    <message>
        <source>Show drafts</source>
        <translation>드래프트 보기</translation>
    </message>
    <message>
        <source>{name} · round {round}</source>
        <translation>{name} · {round}회차</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>자세한 내용 복사</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>시작</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>명령으로 복사</translation>
    </message>
    <message>
        <source>Table of differences</source>
        <translation>차이 표</translation>
    </message>
    <message>
        <source>Fewer than two of these runs can be read from the session database.</source>
        <translation>세션 데이터베이스에서 읽을 수 있는 실행이 둘보다 적습니다.</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>곡선</translation>
    </message>
    <message>
        <source>Save this comparison as HTML, Markdown or CSV</source>
        <translation>이 비교를 HTML, Markdown 또는 CSV로 저장</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>내보내기…</translation>
    </message>
    <message>
        <source>Show this comparison in a window of its own</source>
        <translation>이 비교를 별도의 창에 표시</translation>
    </message>
    <message>
        <source>Open in window</source>
        <translation>창으로 열기</translation>
    </message>
    <message>
        <source>Export the Comparison</source>
        <translation>비교 내보내기</translation>
    </message>
    <message>
        <source>{time}, run {number}</source>
        <translation>{time}, 실행 {number}</translation>
    </message>
    <message>
        <source>Open runs</source>
        <translation>실행 열기</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>토큰</translation>
    </message>
    <message>
        <source>Completed text</source>
        <translation>글이 된 부분</translation>
    </message>
    <message>
        <source>Displayed text</source>
        <translation>내보낸 글</translation>
    </message>
    <message>
        <source>Held back</source>
        <translation>붙잡아 둔 글</translation>
    </message>
    <message>
        <source>Unfinished tokens</source>
        <translation>미완성 토큰</translation>
    </message>
    <message>
        <source>Stop string</source>
        <translation>중지 문자열</translation>
    </message>
    <message>
        <source>without stop strings</source>
        <translation>중지 문자열 없이</translation>
    </message>
    <message>
        <source>with them</source>
        <translation>중지 문자열 사용</translation>
    </message>
    <message>
        <source>Steps, {arm}</source>
        <translation>단계, {arm}</translation>
    </message>
    <message>
        <source>{count} of {all} tokens were parts of a character and showed no text at first</source>
        <translation>토큰 {all}개 가운데 {count}개가 글자의 나머지를 기다렸습니다</translation>
    </message>
    <message>
        <source>after {count} tokens text was held back, since a stop string might have begun</source>
        <translation>토큰 {count}개 뒤에서는 중지 문자열이 시작되었을 수 있어 글을 붙잡아 두었습니다</translation>
    </message>
    <message>
        <source>the stop string “{text}” was complete at token {place} and was not shown</source>
        <translation>중지 문자열 “{text}”은(는) 토큰 {place}에서 완성되었고 표시되지 않았습니다</translation>
    </message>
    <message>
        <source>Stop strings and characters</source>
        <translation>중지 문자열과 글자</translation>
    </message>
    <message>
        <source>How do tokens become characters, and which text is held back because a stop string may have begun?</source>
        <translation>토큰은 어떻게 글자가 되고, 중지 문자열이 시작되었을 수 있을 때 무엇을 붙잡아 두나요?</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>확률</translation>
    </message>
    <message>
        <source>Token; ● marks the sampled one. ⟨E2 80⟩: bytes of an incomplete character.</source>
        <translation>토큰. 선택된 토큰 앞에는 ●가 있습니다. ⟨E2 80⟩: 한 문자의 일부일 뿐인 바이트입니다.</translation>
    </message>
    <message>
        <source>{column}: {text}, ruled out by the output format, which expected {expected}</source>
        <translation>{column}: {text}, 형식이 금지함. 여기서 올 것: {expected}</translation>
    </message>
    <message>
        <source>Log-prob.</source>
        <translation>로그 확률</translation>
    </message>
    <message>
        <source>Logit</source>
        <translation>로짓</translation>
    </message>
    <message>
        <source>Ruled out by</source>
        <translation>제외한 설정</translation>
    </message>
    <message>
        <source>Filter or output format that ruled it out</source>
        <translation>이 토큰을 제외한 설정</translation>
    </message>
    <message>
        <source>{column}: {text}, including the sampled token</source>
        <translation>{column}: {text}, 고른 토큰이 이 가운데 있음</translation>
    </message>
    <message>
        <source>{column}: {text}, sampled</source>
        <translation>{column}: {text}, 고른 토큰</translation>
    </message>
    <message>
        <source>{column}: {text}, ruled out by the output format</source>
        <translation>{column}: {text}, 형식이 금지함</translation>
    </message>
    <message>
        <source>Enter or a double click forks the answer here with that token</source>
        <translation>Enter나 두 번 클릭으로 다른 토큰을 골라 여기서 이어 가기</translation>
    </message>
    <message>
        <source>After filters</source>
        <translation>필터 뒤</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>적용 전</translation>
    </message>
    <message>
        <source>After</source>
        <translation>적용 후</translation>
    </message>
    <message>
        <source>Probabilities of the model, after penalties and bias</source>
        <translation>페널티와 편향을 적용한 모델의 후보</translation>
    </message>
    <message>
        <source>Probabilities after temperature, top-k, top-p, min-p and XTC</source>
        <translation>온도, top-k, top-p, min-p, XTC를 거쳐 남은 후보</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>분포 선택</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>후보</translation>
    </message>
    <message>
        <source>model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>accepted draft</source>
        <translation>수락된 드래프트</translation>
    </message>
    <message>
        <source>you</source>
        <translation>사용자</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>지연 시간</translation>
    </message>
    <message>
        <source>{number} bits</source>
        <translation>{number}비트</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>순위</translation>
    </message>
    <message>
        <source>Log-probability</source>
        <translation>로그 확률</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>엔트로피</translation>
    </message>
    <message>
        <source>Raw logit</source>
        <translation>원래 로짓</translation>
    </message>
    <message>
        <source>Arrived</source>
        <translation>도착</translation>
    </message>
    <message>
        <source>Arrival, since Send</source>
        <translation>보내기부터 도착까지</translation>
    </message>
    <message>
        <source>Inter-token latency</source>
        <translation>토큰 사이 지연</translation>
    </message>
    <message>
        <source>P(EOS)</source>
        <translation>P(EOS)</translation>
    </message>
    <message>
        <source>EOS probability</source>
        <translation>EOS 확률</translation>
    </message>
    <message>
        <source>Chosen by</source>
        <translation>고른 쪽</translation>
    </message>
    <message>
        <source>Pick an alternative in the table first.</source>
        <translation>먼저 표에서 후보를 고르세요.</translation>
    </message>
    <message>
        <source>Keep the answer up to here and continue with this token in place of the sampled one</source>
        <translation>답변을 여기까지 남기고, 고른 토큰 대신 이 토큰으로 이어 갑니다</translation>
    </message>
    <message>
        <source>Continue with your own text</source>
        <translation>내가 쓴 글로 이어 가기</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>포크</translation>
    </message>
    <message>
        <source>Fork here with your own text</source>
        <translation>여기서 내가 쓴 글로 이어 가기</translation>
    </message>
    <message>
        <source>Fork here with {token}</source>
        <translation>여기서 {token}(으)로 포크</translation>
    </message>
    <message>
        <source>Keep the answer up to this token and continue with your text. The text is tokenized separately, so it never merges with the token before it</source>
        <translation>답변을 이 토큰까지 남기고 입력한 글로 이어 갑니다. 글은 따로 토큰화되므로 앞의 토큰과 합쳐지지 않습니다</translation>
    </message>
    <message>
        <source>…or with your own text</source>
        <translation>…또는 내가 쓴 글로</translation>
    </message>
    <message>
        <source>Token inspector</source>
        <translation>토큰 검사기</translation>
    </message>
    <message>
        <source>Record alternatives</source>
        <translation>후보 기록</translation>
    </message>
    <message>
        <source>Record the most probable alternatives of each token</source>
        <translation>토큰마다 확률이 높은 후보를 남깁니다</translation>
    </message>
    <message>
        <source>You inserted this token; the model didn&apos;t sample it.</source>
        <translation>직접 넣은 토큰이라 모델이 고르지 않았습니다.</translation>
    </message>
    <message>
        <source>Turn on “Record alternatives” for the next answers.</source>
        <translation>다음 답변부터 ‘대안 기록’을 켜세요.</translation>
    </message>
    <message>
        <source>“Rerun and record” repeats this run and records its alternatives.</source>
        <translation>‘다시 실행하여 기록’은 이 실행을 반복하며 대안을 기록합니다.</translation>
    </message>
    <message>
        <source>Proposed as draft tokens and rejected: “{text}”</source>
        <translation>드래프트 토큰으로 제안되었으나 거절됨: “{text}”</translation>
    </message>
    <message>
        <source>Repeat this run outside the conversation and record its alternatives</source>
        <translation>같은 실행을 대화와 별도로 다시 하면서 후보를 기록합니다</translation>
    </message>
    <message>
        <source>Rerun and record</source>
        <translation>다시 실행하여 기록</translation>
    </message>
    <message>
        <source>Switch the conversation to the token view</source>
        <translation>글에 토큰을 나누어 보여 주어, 가리키고 고를 수 있게 합니다</translation>
    </message>
    <message>
        <source>{tokens}: mean {mean}, p95 {p95} between speculative steps.</source>
        <translation>{tokens}: 추측 단계 사이 평균 {mean}, p95 {p95}.</translation>
    </message>
    <message>
        <source>Show tokens</source>
        <translation>토큰 보기</translation>
    </message>
    <message>
        <source>{tokens}: one speculative step.</source>
        <translation>{tokens}: 드래프트를 쓴 한 단계에서 나왔습니다.</translation>
    </message>
    <message>
        <source>{tokens}: inter-token latencies unknown.</source>
        <translation>{tokens}: 토큰 사이의 시간을 알 수 없습니다.</translation>
    </message>
    <message>
        <source>No alternatives were recorded for this token.</source>
        <translation>이 토큰의 대안은 기록되지 않았습니다.</translation>
    </message>
    <message>
        <source>Click a word of an answer, or show the tokens and point at one. This tab shows its probability, alternatives and latency. You can also fork the answer there.</source>
        <translation>답변의 단어를 클릭하거나, 토큰을 표시하고 하나를 가리키세요. 이 탭에 그 확률, 대안, 지연 시간이 나옵니다. 거기서 답변을 포크할 수도 있습니다.</translation>
    </message>
    <message>
        <source>Alternatives are recorded from the next answer on.</source>
        <translation>다음 답변부터 후보가 기록됩니다.</translation>
    </message>
    <message>
        <source>Click a word of an answer, or show the tokens and point at one, to see its latency.</source>
        <translation>답변의 단어를 클릭하거나, 토큰을 표시하고 하나를 가리키면 얼마나 걸렸는지 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>Token {first}</source>
        <translation>토큰 {first}</translation>
    </message>
    <message>
        <source>Tokens {first} to {last}</source>
        <translation>토큰 {first}~{last}</translation>
    </message>
    <message>
        <source>{tokens}: mean {mean}, p95 {p95} between tokens.</source>
        <translation>{tokens}: 토큰 사이 평균 {mean}, p95 {p95}.</translation>
    </message>
    <message>
        <source>the rest</source>
        <translation>나머지</translation>
    </message>
    <message>
        <source>the rest of the vocabulary</source>
        <translation>어휘의 나머지</translation>
    </message>
    <message>
        <source>After penalties and bias, before temperature and truncation.</source>
        <translation>페널티와 편향을 적용한 뒤, 온도와 후보 제한을 적용하기 전입니다.</translation>
    </message>
    <message>
        <source>Only the sum of the other tokens is recorded, so these figures are estimates.</source>
        <translation>나머지 토큰은 합만 기록되어, 여기 수치는 추정한 값입니다.</translation>
    </message>
    <message>
        <source>output format</source>
        <translation>출력 형식</translation>
    </message>
    <message>
        <source>possibly XTC</source>
        <translation>XTC일 수 있음</translation>
    </message>
    <message>
        <source>After {settings}, as this run had them.</source>
        <translation>이 실행의 설정인 {settings}을(를) 적용한 뒤입니다.</translation>
    </message>
    <message>
        <source>temperature 0</source>
        <translation>온도 0</translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation>온도 {value}</translation>
    </message>
    <message>
        <source>{several} and {last}</source>
        <translation>{several} 및 {last}</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>이전 토큰</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>다음 토큰</translation>
    </message>
    <message>
        <source>Token {place} of {all}</source>
        <translation>토큰 {place} / {all}</translation>
    </message>
    <message>
        <source>Token text, with visible whitespace and control characters</source>
        <translation>공백과 보이지 않는 글자까지 나타낸 토큰</translation>
    </message>
    <message>
        <source>Text: none</source>
        <translation>글: 따로 없음</translation>
    </message>
    <message>
        <source>Part {part} of {parts} of “{character}” (tokens {first} to {last}): ids {ids}</source>
        <translation>“{character}”의 {parts}부분 가운데 {part}번째. 토큰 {first}~{last}이(가) 함께 한 글자를 이룹니다: ID {ids}</translation>
    </message>
    <message>
        <source>Text: {text}</source>
        <translation>글: {text}</translation>
    </message>
    <message>
        <source>Model card</source>
        <translation>모델 카드</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>어제</translation>
    </message>
    <message>
        <source>today</source>
        <translation>오늘</translation>
    </message>
    <message>
        <source>d MMM</source>
        <extracomment>As Qt writes dates: a day of this year, or of another one.</extracomment>
        <translation>MMM d일</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy. M. d.</translation>
    </message>
    <message>
        <source>{bits}-bit</source>
        <translation>{bits}비트</translation>
    </message>
    <message>
        <source>The draft model</source>
        <translation>드래프트 모델</translation>
    </message>
    <message>
        <source>Penalties and bias</source>
        <translation>페널티와 편향</translation>
    </message>
    <message>
        <source>The output format</source>
        <translation>출력 형식</translation>
    </message>
    <message>
        <source>Sampling the token</source>
        <translation>토큰 고르기</translation>
    </message>
    <message>
        <source>Detokenization</source>
        <translation>id에서 텍스트로</translation>
    </message>
    <message>
        <source>Transfer to the window</source>
        <translation>창에 넘기기</translation>
    </message>
    <message>
        <source>Transfer to the session database</source>
        <translation>기록에 넘기기</translation>
    </message>
    <message>
        <source>Other Python code</source>
        <translation>그 밖의 Python</translation>
    </message>
    <message>
        <source>disturbed; measure it again</source>
        <translation>방해를 받았으니 다시 측정하세요</translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation>메모리에서 측정</translation>
    </message>
    <message>
        <source>Bandwidth of the {level}</source>
        <translation>{level}에서 측정</translation>
    </message>
    <message>
        <source>Bytes per token</source>
        <translation>토큰이 읽는 양</translation>
    </message>
    <message>
        <source>Profiling</source>
        <translation>관찰의 영향</translation>
    </message>
    <message>
        <source>The model takes {model} and sampling {choosing} of {took} per token.</source>
        <translation>토큰 하나에 드는 {took} 가운데 모델이 {model}, 토큰 선택이 {choosing}를 차지합니다.</translation>
    </message>
    <message>
        <source>Mean time per token: {plain} ({count} tokens). With per-part timing {parts} ({more}), with per-layer timing {layers} ({most}). Shares are scaled to the first.</source>
        <translation>토큰 하나에 {count}개 평균으로 {plain} 걸렸습니다. 부분마다 따로 기다리면 {parts}({more}), 레이어마다 따로 기다리면 {layers}({most})입니다. 그래서 부분과 레이어는 맨 앞의 시간에서 차지하는 비율로 나타냅니다.</translation>
    </message>
    <message>
        <source>Recording alternatives</source>
        <translation>후보 기록</translation>
    </message>
    <message>
        <source>Waiting for the window</source>
        <translation>창을 기다림</translation>
    </message>
    <message>
        <source>{weights} of weights, {kv} of keys, values and states</source>
        <translation>가중치 {weights}, 키·값·상태 {kv}</translation>
    </message>
    <message>
        <source>{first} and {other} have the same tokens.</source>
        <translation>{first}와 {other}의 토큰이 같습니다.</translation>
    </message>
    <message>
        <source>{shorter} has no tokens.</source>
        <translation>{shorter}에는 토큰이 없습니다.</translation>
    </message>
    <message>
        <source>{first} and {other} have the same tokens up to token {number}, where {shorter} ends.</source>
        <translation>{first}와 {other}는 {shorter}가 끝나는 토큰 {number}까지 같습니다.</translation>
    </message>
    <message>
        <source>{first} and {other} differ from token {number} on: {one} and {two}.</source>
        <translation>{first}와 {other}는 토큰 {number}부터 다릅니다: {one}, {two}.</translation>
    </message>
    <message>
        <source>In {column}, {token} had {probability}: a gap of {points} percentage points.</source>
        <translation>{column}에서 {token}의 확률은 {probability}였습니다. 차이는 {points}%p입니다.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>기기</translation>
    </message>
    <message>
        <source>The model: layer {number}</source>
        <translation>모델: 층 {number}</translation>
    </message>
    <message>
        <source>The model: before the layers</source>
        <translation>모델: 층들 앞</translation>
    </message>
    <message>
        <source>The model: after the layers</source>
        <translation>모델: 층들 뒤</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>메모리</translation>
    </message>
    <message>
        <source>overhead</source>
        <translation>부대 비용</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>연산</translation>
    </message>
    <message>
        <source>Time per token: {part}</source>
        <translation>토큰 하나의 시간: {part}</translation>
    </message>
    <message>
        <source>Measured speed</source>
        <translation>실측</translation>
    </message>
    <message>
        <source>Limited by</source>
        <translation>제한 요인</translation>
    </message>
    <message>
        <source>{count} parameters</source>
        <translation>매개변수 {count}개</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>원인</translation>
    </message>
    <message>
        <source>nothing unusual</source>
        <translation>특이 사항 없음</translation>
    </message>
    <message>
        <source>You</source>
        <translation>나</translation>
    </message>
    <message>
        <source>System</source>
        <translation>시스템</translation>
    </message>
    <message>
        <source>Speed now</source>
        <translation>현재 속도</translation>
    </message>
    <message>
        <source>Mean speed</source>
        <translation>평균 속도</translation>
    </message>
    <message>
        <source>(n − 1) ÷ (arrival of token n − arrival of token 1) for n tokens; not defined for a single token.</source>
        <translation>(n − 1) ÷ (n번째 토큰이 나온 때 − 첫 토큰이 나온 때)입니다. 토큰이 하나뿐이면 정의되지 않습니다.</translation>
    </message>
    <message>
        <source>Memory-bandwidth limit (roofline): measured bytes per second for the model&apos;s largest matrix ÷ bytes that a token must read.</source>
        <translation>이 기계가 쓸 수 있는 가장 빠른 속도: 모델 자신의 가장 큰 행렬을 읽을 때 잰 초당 바이트 ÷ 그 자리에서 토큰 하나가 읽는 바이트.</translation>
    </message>
    <message>
        <source>Share of the ceiling</source>
        <translation>상한 대비 비율</translation>
    </message>
    <message>
        <source>End-to-end speed</source>
        <translation>전체 속도</translation>
    </message>
    <message>
        <source>Number of tokens ÷ (arrival of the last token − Send). It includes the time to first token.</source>
        <translation>n ÷ (마지막 토큰이 나온 때 − 보낸 때)입니다. 첫 토큰을 기다린 시간도 들어갑니다.</translation>
    </message>
    <message>
        <source>Prefill speed</source>
        <translation>프리필 속도</translation>
    </message>
    <message>
        <source>Prefilled tokens ÷ prefill time. Cached tokens don&apos;t count, nor does the last prompt token, which the first decode step processes. Known when the run is over.</source>
        <translation>프리필한 토큰 ÷ 프리필 시간입니다. 캐시에서 가져온 토큰과, 첫 디코딩 단계가 처리하는 마지막 프롬프트 토큰은 세지 않습니다. 실행이 끝나면 알 수 있습니다.</translation>
    </message>
    <message>
        <source>From Send to the arrival of the first token, without loading the model. Its parts add up: waiting, chat template, cache lookup, setup, prefill, first decode step.</source>
        <translation>보내기부터 첫 토큰이 도착할 때까지의 시간으로, 모델을 여는 시간은 들어가지 않습니다. 대기, 채팅 템플릿, 캐시 찾기, 준비, 프리필, 첫 디코딩 단계를 더한 값입니다.</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>연결</translation>
    </message>
    <message>
        <source>Time to connect to the server, including DNS and TLS.</source>
        <translation>서버에서의 실행: 요청부터 연결이 열릴 때까지의 시간이며, 이름 조회와 암호화도 포함합니다.</translation>
    </message>
    <message>
        <source>First byte</source>
        <translation>첫 바이트</translation>
    </message>
    <message>
        <source>Time from the open connection to the first byte of the answer: network latency and the server&apos;s work.</source>
        <translation>서버에서의 실행: 연결이 열린 뒤 답변의 첫 바이트까지의 시간이며, 오가는 시간과 서버 자체의 작업을 포함합니다.</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>조각</translation>
    </message>
    <message>
        <source>Pieces of text from a server that reports no token count. Often one piece is one token.</source>
        <translation>서버가 보낸 텍스트 조각입니다. 흔히 토큰마다 하나이지만, 서버가 토큰 수를 알려 주지는 않았습니다.</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>경과 시간</translation>
    </message>
    <message>
        <source>Time since Send, until the run ends.</source>
        <translation>보낸 뒤로 흐른 시간입니다. 실행이 끝나면 멈춥니다.</translation>
    </message>
    <message>
        <source>Inter-token latency: p50, p95, p99</source>
        <translation>토큰 간격: p50, p95, p99</translation>
    </message>
    <message>
        <source>Stop latency</source>
        <translation>중지에 걸린 시간</translation>
    </message>
    <message>
        <source>Time from Stop (or Esc) until the model has stopped.</source>
        <translation>중지(또는 Esc)를 누른 때부터 모델이 실제로 멈춘 때까지의 시간입니다.</translation>
    </message>
    <message>
        <source>Draft acceptance rate</source>
        <translation>드래프트 수락률</translation>
    </message>
    <message>
        <source>Tokens per step</source>
        <translation>단계당 토큰</translation>
    </message>
    <message>
        <source>Generated tokens, including the EOS token.</source>
        <translation>모델의 기준으로 센 생성 토큰 수입니다. 종료 토큰도 들어갑니다.</translation>
    </message>
    <message>
        <source>Visible tokens</source>
        <translation>보이는 토큰</translation>
    </message>
    <message>
        <source>Generated tokens that are displayed: without EOS and text removed by a stop string.</source>
        <translation>읽는 사람의 기준으로 센 생성 토큰 수입니다. 종료 토큰과 중지 문자열이 잘라 낸 것은 뺍니다.</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>프롬프트 토큰</translation>
    </message>
    <message>
        <source>All tokens of the prompt, including earlier turns and the chat template.</source>
        <translation>모델에 주어지는 모든 것을 토큰으로 센 값입니다. 지금까지의 대화와 채팅 템플릿도 들어갑니다.</translation>
    </message>
    <message>
        <source>Reused prompt tokens</source>
        <translation>재사용한 프롬프트 토큰</translation>
    </message>
    <message>
        <source>New prompt tokens</source>
        <translation>새로 읽은 프롬프트 토큰</translation>
    </message>
    <message>
        <source>Tokens in the KV cache ÷ context window of the model, and the tokens that max tokens can still add.</source>
        <translation>캐시에 있는 토큰 수 ÷ 모델의 컨텍스트 길이, 그리고 최대 토큰이 앞으로 더할 수 있는 양입니다.</translation>
    </message>
    <message>
        <source>Finish reason</source>
        <translation>종료 이유</translation>
    </message>
    <message>
        <source>EOS or stop token (stop), max tokens (length), stop string, cancelled, context full, output format complete, or error.</source>
        <translation>실행이 끝난 이유입니다. EOS 또는 중지 토큰(stop), 최대 토큰(length), 중지 문자열, 중지 버튼, 가득 찬 컨텍스트, 출력 형식 완성, 오류 가운데 하나입니다.</translation>
    </message>
    <message>
        <source>Runs</source>
        <comment>Number of runs of the variant</comment>
        <translation>실행 횟수</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>온도</translation>
    </message>
    <message>
        <source>Maximum number of tokens in a run; then its finish reason is “length”.</source>
        <translation>한 실행이 생성할 수 있는 최대 토큰 수입니다. 닿으면 종료 이유가 “length”입니다.</translation>
    </message>
    <message>
        <source>Raise it if answers end in mid-sentence, or press Continue. The limit isn&apos;t part of the prompt.</source>
        <translation>답변이 문장 중간에 끝나면 올리거나 “이어서 생성”을 누르세요. 답변의 길이 자체를 바꾸지는 않습니다.</translation>
    </message>
    <message>
        <source>The answer ends before the first of these strings, however it is tokenized.</source>
        <translation>어떤 토큰으로 이루어졌든, 이 문자열이 처음 나오는 자리 앞에서 답변이 끝납니다.</translation>
    </message>
    <message>
        <source>Text that may be the beginning of a stop string is held back. Useful for formats: stop at “User:” or “```”.</source>
        <translation>중지 문자열의 시작일 수 있는 글은 붙잡아 둡니다. “User:”나 “```”에서 멈추는 형식에 좋습니다.</translation>
    </message>
    <message>
        <source>Use it if a model doesn&apos;t stop because its files list the wrong EOS token.</source>
        <translation>모델 파일에 EOS 토큰이 잘못 적혀 있어 모델이 멈추지 않을 때 쓰세요.</translation>
    </message>
    <message>
        <source>Records the most likely alternatives of each token with their probabilities (top-k logprobs).</source>
        <translation>토큰마다 확률이 높은 대안과 그 확률(top-k logprobs)을 기록합니다.</translation>
    </message>
    <message>
        <source>Needed by the token view, the inspector and the sampling picture, which shows the cost in speed.</source>
        <translation>토큰 보기, 검사기, EOS 확률, 샘플링 그림에 필요합니다. 속도가 얼마나 느려지는지는 그림에 나옵니다.</translation>
    </message>
    <message>
        <source>Speculative decoding: a small model proposes tokens, and the large one verifies several in one step.</source>
        <translation>추측 디코딩: 작은 모델이 토큰을 제안하고, 큰 모델이 한 번에 여러 개를 확인합니다.</translation>
    </message>
    <message>
        <source>Number of tokens that the draft model proposes in each step.</source>
        <translation>드래프트 모델이 단계마다 제안하는 토큰 수입니다.</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>바이트</translation>
    </message>
    <message>
        <source>Bytes of the token in hexadecimal. A character can consist of several tokens.</source>
        <translation>토큰 자체의 바이트를 16진수로 쓴 것입니다. 한 글자가 여러 토큰일 수 있습니다.</translation>
    </message>
    <message>
        <source>Number of a token</source>
        <translation>토큰의 번호</translation>
    </message>
    <message>
        <source>Index in the answer or in the prompt, from 1.</source>
        <translation>답변이나 프롬프트에서 1부터 센 자리입니다.</translation>
    </message>
    <message>
        <source>Tokens that still fit into the context window, and an estimate of tokens whose KV cache fits into memory.</source>
        <translation>컨텍스트에 토큰이 몇 개 더 들어가는지, 그리고 메모리에 몇 개분의 KV 캐시가 더 들어가는지 어림한 수입니다.</translation>
    </message>
    <message>
        <source>Number of runs</source>
        <translation>실행 수</translation>
    </message>
    <message>
        <source>Number of listed runs, without filtered ones.</source>
        <translation>목록에 있는 실행 수입니다. 걸러진 것은 세지 않습니다.</translation>
    </message>
    <message>
        <source>When</source>
        <translation>시각</translation>
    </message>
    <message>
        <source>Date and time of Send, in this computer&apos;s time.</source>
        <translation>이 컴퓨터의 시계로 본, 보낸 날짜와 시각입니다.</translation>
    </message>
    <message>
        <source>Seconds since Send</source>
        <translation>보낸 뒤 시간(초)</translation>
    </message>
    <message>
        <source>Time from Send to this point of the curve.</source>
        <translation>보낸 때부터 곡선의 그 점까지의 시간입니다.</translation>
    </message>
    <message>
        <source>KV caches in memory</source>
        <translation>메모리의 KV 캐시</translation>
    </message>
    <message>
        <source>The GPU&apos;s recommended working set, or all memory if unknown; capped by the memory limit in Settings.</source>
        <translation>장치가 권하는 사용량이며, 장치가 알려 주지 않으면 전체 메모리입니다. 설정에 더 낮은 한도가 있으면 그 값입니다.</translation>
    </message>
    <message>
        <source>Number of measured runs of a variant. Values are medians, with the range in brackets.</source>
        <translation>한 갈래의 수치가 몇 번 측정한 실행에서 나왔는지입니다. 중앙값이며 괄호 안은 범위입니다.</translation>
    </message>
    <message>
        <source>Speed at a token</source>
        <translation>어느 토큰에서의 속도</translation>
    </message>
    <message>
        <source>Mean speed over the 20 tokens before and the 20 tokens after it.</source>
        <translation>그 앞 20개와 뒤 20개 토큰에 걸친 평균 속도입니다. 겹쳐 그린 곡선도 같습니다.</translation>
    </message>
    <message>
        <source>Speed at the end</source>
        <translation>끝에서의 속도</translation>
    </message>
    <message>
        <source>Slope</source>
        <translation>기울기</translation>
    </message>
    <message>
        <source>Change of the speed per 100 tokens; negative if it slows down.</source>
        <translation>토큰 100개마다 얼마나 빨라지는지입니다. 0보다 작으면 느려지는 정도입니다.</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>결과</translation>
    </message>
    <message>
        <source>Index of the first different token in the first runs; none if they are equal.</source>
        <translation>첫 실행들의 글이 몇 번째 토큰에서 갈라지는지입니다. 같으면 없습니다.</translation>
    </message>
    <message>
        <source>Number of tokens that are part of an incomplete character.</source>
        <translation>글자의 나머지를 기다리는 토큰이 몇 개인지입니다.</translation>
    </message>
    <message>
        <source>All tokens of the cells ÷ their time: run one after the other, and as one batch.</source>
        <translation>칸들의 모든 토큰 ÷ 걸린 시간입니다. 하나씩 차례로 실행할 때와 한 배치로 실행할 때를 비교합니다.</translation>
    </message>
    <message>
        <source>Accepted by position, share of all steps</source>
        <translation>순번별 수락(전체 단계 가운데 비율)</translation>
    </message>
    <message>
        <source>Share of steps in which the first, second … draft token was accepted.</source>
        <translation>모든 단계 가운데 제안의 첫 번째, 두 번째 … 토큰이 수락된 단계의 비율입니다.</translation>
    </message>
    <message>
        <source>Distinct tokens ÷ all tokens (distinct-1).</source>
        <translation>전체 토큰 가운데 서로 다른 토큰의 비율입니다.</translation>
    </message>
    <message>
        <source>Distinct tokens</source>
        <translation>서로 다른 토큰</translation>
    </message>
    <message>
        <source>Distinct pairs of adjacent tokens ÷ all pairs (distinct-2).</source>
        <translation>이웃한 두 토큰의 쌍 가운데 서로 다른 쌍의 비율입니다.</translation>
    </message>
    <message>
        <source>Distinct bigrams</source>
        <translation>서로 다른 쌍</translation>
    </message>
    <message>
        <source>Distinct triples of adjacent tokens ÷ all triples (distinct-3).</source>
        <translation>이어진 세 토큰의 묶음 가운데 서로 다른 묶음의 비율입니다.</translation>
    </message>
    <message>
        <source>Distinct trigrams</source>
        <translation>서로 다른 세 개씩</translation>
    </message>
    <message>
        <source>MLX memory</source>
        <translation>MLX 메모리</translation>
    </message>
    <message>
        <source>Bandwidth limit</source>
        <translation>상한</translation>
    </message>
    <message>
        <source>Tokens that fit</source>
        <translation>남은 자리</translation>
    </message>
    <message>
        <source>Active, cache and peak bytes of MLX&apos;s allocator (GB = 10⁹ bytes). Python, the window and other programs are not included. The peak restarts with each run.</source>
        <translation>MLX 할당자의 사용 중, 캐시, 최고 바이트입니다(GB = 10⁹바이트). Python과 창, 다른 프로그램은 들어가지 않습니다. 최고는 실행마다 새로 잽니다.</translation>
    </message>
    <message>
        <source>Active memory</source>
        <translation>사용 중인 메모리</translation>
    </message>
    <message>
        <source>Memory in use by MLX: weights, KV cache and temporary arrays.</source>
        <translation>지금 쓰고 있는 양입니다. 모델의 가중치, KV 캐시, 그 밖에 계산에 필요한 것이 들어갑니다.</translation>
    </message>
    <message>
        <source>Size of the model&apos;s weights, in memory or to download.</source>
        <translation>모델 자체의 수들입니다. 메모리에서 차지하는 양이나 다운로드할 양을 나타냅니다.</translation>
    </message>
    <message>
        <source>Keys and values of all tokens in the context. Part of active memory.</source>
        <translation>모델이 읽거나 쓴 모든 토큰의 키와 값이 지금 차지하는 양입니다. 사용 중인 메모리의 일부입니다.</translation>
    </message>
    <message>
        <source>Allocator&apos;s cache</source>
        <translation>할당자의 캐시</translation>
    </message>
    <message>
        <source>Freed memory that MLX&apos;s allocator holds for later use.</source>
        <translation>MLX 할당자가 돌려받아 다음에 쓰려고 가지고 있는 메모리입니다.</translation>
    </message>
    <message>
        <source>Memory peak</source>
        <translation>최고 메모리</translation>
    </message>
    <message>
        <source>Highest active memory of MLX&apos;s allocator since the run began.</source>
        <translation>실행이 시작된 뒤 MLX 할당자에서 사용 중이던 메모리의 최댓값입니다.</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>메모리 한도</translation>
    </message>
    <message>
        <source>Estimate from the model&apos;s files: weights, KV cache for the chosen context length and headroom, compared with this device&apos;s limit.</source>
        <translation>정해 둔 컨텍스트에 필요한 가중치와 KV 캐시에 여유를 더해 모델의 파일에서 계산하고, 이 장치가 허용하는 양과 비교한 것입니다.</translation>
    </message>
    <message>
        <source>Probability of the token: after penalties and logit bias, before temperature and truncation.</source>
        <translation>모델이 이 자리에서 이 토큰에 준 확률입니다. 페널티와 편향을 적용한 뒤, 온도와 후보 제한을 적용하기 전의 값입니다.</translation>
    </message>
    <message>
        <source>Surprisal</source>
        <translation>놀라움</translation>
    </message>
    <message>
        <source>Surprisal: −log₂ of the probability, in bits. 1 bit is 50 %, 10 bits about 0.1 %.</source>
        <translation>놀라움(surprisal): 확률의 −log₂(비트)입니다. 1비트는 50 %, 10비트는 약 0.1 %입니다.</translation>
    </message>
    <message>
        <source>Rank by probability in the vocabulary; the likeliest token has rank 1.</source>
        <translation>모델이 아는 모든 토큰 가운데 확률이 몇 번째로 높은지입니다. 가장 높은 것이 1입니다.</translation>
    </message>
    <message>
        <source>Natural logarithm of the probability (logprob): 0 is certain.</source>
        <translation>확률의 자연로그입니다. 0이면 확실합니다.</translation>
    </message>
    <message>
        <source>Shannon entropy of the next-token distribution, in bits: 0 is certain, n bits are 2ⁿ equally likely tokens.</source>
        <translation>다음 토큰 분포의 섀넌 엔트로피(비트)입니다. 0이면 확실하고, n비트는 확률이 같은 토큰 2ⁿ개와 같습니다.</translation>
    </message>
    <message>
        <source>Logit of the token before penalties and logit bias; without a unit.</source>
        <translation>페널티와 편향 전에 모델이 이 토큰에 준 수입니다. 단위가 없습니다.</translation>
    </message>
    <message>
        <source>Time from Send of its run to this token.</source>
        <translation>그 실행을 보낸 때부터 이 토큰까지의 시간입니다.</translation>
    </message>
    <message>
        <source>Time since the arrival of the previous token of the same run.</source>
        <translation>같은 실행에서 앞 토큰이 도착한 뒤의 시간입니다.</translation>
    </message>
    <message>
        <source>Probability of an EOS or stop token at this position.</source>
        <translation>이 자리에서 EOS 또는 중지 토큰이 나올 확률입니다.</translation>
    </message>
    <message>
        <source>Token id in the vocabulary.</source>
        <translation>모델의 어휘에서 이 토큰의 번호입니다.</translation>
    </message>
    <message>
        <source>Probability of sampling the token, after temperature and all sampling filters.</source>
        <translation>온도와 모든 샘플링 필터를 거친 뒤 이 토큰이 뽑힐 확률입니다.</translation>
    </message>
    <message>
        <source>Sum of the tokens&apos; surprisal in bits, and the mean per token, without the first token.</source>
        <translation>토큰들의 놀라움을 비트로 더한 값과 토큰 하나당 값입니다. 첫 토큰은 세지 않습니다.</translation>
    </message>
    <message>
        <source>Before → after</source>
        <translation>전 → 후</translation>
    </message>
    <message>
        <source>Probability of an alternative before and after temperature and all sampling filters.</source>
        <translation>모델이 준 대로의 후보 확률과, 샘플링 설정이 모두 적용된 뒤의 확률입니다.</translation>
    </message>
    <message>
        <source>Cost of recording</source>
        <translation>기록에 든 비용</translation>
    </message>
    <message>
        <source>Share of the last run&apos;s time spent on recording alternatives.</source>
        <translation>마지막 실행의 시간 가운데 후보를 기록하는 데 쓴 비율입니다.</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>매개변수</translation>
    </message>
    <message>
        <source>Number of weights of the model.</source>
        <translation>모델이 학습한 수의 개수입니다. 압축 여부와 상관없습니다.</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>비트</translation>
    </message>
    <message>
        <source>Bits per weight. Fewer bits need less memory and are less precise.</source>
        <translation>수 하나가 차지하는 비트 수입니다. 적을수록 메모리를 덜 쓰고 더 거칠게 반올림합니다.</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>디스크</translation>
    </message>
    <message>
        <source>Vocabulary size: number of different tokens.</source>
        <translation>모델이 아는 서로 다른 토큰의 수입니다.</translation>
    </message>
    <message>
        <source>Date of the last change on the Hugging Face Hub.</source>
        <translation>제작자가 허브에서 마지막으로 바꾼 날입니다.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>진행 정도</translation>
    </message>
    <message>
        <source>Progress, in bytes or prompt tokens.</source>
        <translation>전체 가운데 얼마나 끝났는지를 바이트나 프롬프트 토큰으로 나타냅니다.</translation>
    </message>
    <message>
        <source>exp(cross-entropy): as uncertain as a uniform choice among this many tokens. ×/÷: factor of the 95 % CI.</source>
        <translation>exp(교차 엔트로피): 이만큼의 토큰 중에서 고르게 고를 때와 같은 불확실함입니다. ×/÷: 95 % 신뢰 구간의 배수입니다.</translation>
    </message>
    <message>
        <source>Log-prob difference</source>
        <translation>글 자체 토큰</translation>
    </message>
    <message>
        <source>Decode speed over the last 8 tokens or 15 % of the run, at most 1 s; with draft tokens over whole steps. It falls while no token arrives. After the run: the mean speed.</source>
        <translation>마지막 토큰 8개, 더 긴 실행에서는 마지막 15 %(1초 이내) ÷ 걸린 시간입니다. 드래프트 토큰이 있으면 온전한 단계 단위로 셉니다. 토큰이 오지 않는 동안 내려갑니다. 실행 뒤에는 평균 속도입니다.</translation>
    </message>
    <message>
        <source>Percentiles of the inter-token latency. With draft tokens, the time between steps, since accepted tokens arrive in bursts.</source>
        <translation>도착 간격의 절반, 95%, 99%는 이보다 길지 않습니다. 드래프트 토큰이 있으면 수락된 토큰이 한꺼번에 나오므로 단계 사이의 시간입니다.</translation>
    </message>
    <message>
        <source>Accepted ÷ proposed draft tokens.</source>
        <translation>제안된 드래프트 토큰 가운데 수락된 비율입니다.</translation>
    </message>
    <message>
        <source>Tokens ÷ steps of the target model. With draft tokens, a step can generate several.</source>
        <translation>토큰 수 ÷ 모델 자신의 단계 수입니다. 드래프트 토큰이 있으면 한 단계에서 여러 토큰이 나올 수 있습니다.</translation>
    </message>
    <message>
        <source>Prompt tokens that were not in the KV cache.</source>
        <translation>KV 캐시에 없던 프롬프트 토큰 수입니다.</translation>
    </message>
    <message>
        <source>Expected duration</source>
        <translation>예상 시간</translation>
    </message>
    <message>
        <source>At the median speed of the model&apos;s last five runs, if each run reaches max tokens. Most end sooner.</source>
        <translation>모델의 마지막 다섯 실행의 중앙값 속도로, 모든 실행이 최대 토큰까지 갈 때의 시간입니다. 대부분 더 일찍 끝납니다.</translation>
    </message>
    <message>
        <source>Estimate over all rounds (Hodges–Lehmann) and its confidence interval (Wilcoxon signed-rank, 96 % or more). A difference is significant where the interval excludes no difference. A large one in every round is provisional if there are too few rounds.</source>
        <translation>모든 회차에 걸친 추정값(Hodges–Lehmann)과 그 신뢰 구간(Wilcoxon 부호 순위, 96 % 이상)입니다. 구간에 차이 없음이 들어가지 않으면 유의한 차이입니다. 회차가 부족해도 모든 회차에서 차이가 크면 잠정 결과로 알립니다.</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>수락</translation>
    </message>
    <message>
        <source>Proposed tokens that equal the recorded answer ÷ all tokens that the draft would have proposed.</source>
        <translation>기록된 답변과 같은 제안 토큰 ÷ 드래프트가 제안했을 모든 토큰.</translation>
    </message>
    <message>
        <source>Steps saved</source>
        <translation>줄어든 단계</translation>
    </message>
    <message>
        <source>Share of the target model&apos;s steps that the draft saves. Without a draft, each token is one step.</source>
        <translation>드래프트로 줄어드는 대상 모델 단계의 비율입니다. 드래프트가 없으면 토큰마다 한 단계입니다.</translation>
    </message>
    <message>
        <source>Predicted speed-up</source>
        <translation>예측 속도 향상</translation>
    </message>
    <message>
        <source>Decode time without a draft ÷ predicted decode time with it: steps × the measured time of such a step. Median, and lower to upper quartile.</source>
        <translation>드래프트 없는 디코딩 시간 ÷ 드래프트를 쓸 때 예측되는 디코딩 시간(단계 수 × 측정한 단계 시간). 중앙값과 사분위 범위입니다.</translation>
    </message>
    <message>
        <source>Measured speed-up</source>
        <translation>측정 속도 향상</translation>
    </message>
    <message>
        <source>Decode time per token without the draft ÷ with it. Median of the pairs of runs, and both quartiles.</source>
        <translation>토큰당 디코딩 시간: 드래프트 없음 ÷ 드래프트 있음. 짝지은 실행의 중앙값과 사분위 범위입니다.</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>반복</translation>
    </message>
    <message>
        <source>Share of sequences of four tokens (4-grams) that occurred before in the same text.</source>
        <translation>이어진 네 토큰(4-gram) 가운데 같은 글에서 이미 나온 것의 비율입니다.</translation>
    </message>
    <message>
        <source>Agreement of the seeds</source>
        <translation>시드 간 일치</translation>
    </message>
    <message>
        <source>Bigrams that the texts of two seeds have in common ÷ all their bigrams (Jaccard), mean over all pairs.</source>
        <translation>두 시드의 글에 함께 있는 토큰 쌍 ÷ 두 글의 모든 토큰 쌍(자카드), 모든 조합의 평균입니다.</translation>
    </message>
    <message>
        <source>Mean probability of the likeliest choice, given that the answer is one of the choices.</source>
        <translation>답이 선택지 중 하나라고 할 때, 가능도가 가장 높은 선택지의 평균 확률입니다.</translation>
    </message>
    <message>
        <source>Mean distance between confidence and share of right rows, over ten bins of confidence. 0 is best.</source>
        <translation>확신도 구간 10개에서 확신도와 정답 비율의 평균 차이입니다. 0이 가장 좋습니다.</translation>
    </message>
    <message>
        <source>Mean squared error of the choices&apos; probabilities, summed over the choices. From 0 to 2; 0 is best.</source>
        <translation>선택지 확률의 제곱 오차를 선택지에 대해 더한 값의 평균입니다. 0에서 2까지이며 0이 가장 좋습니다.</translation>
    </message>
    <message>
        <source>Speed and time</source>
        <translation>속도와 시간</translation>
    </message>
    <message>
        <source>Tokens and settings</source>
        <translation>토큰과 설정</translation>
    </message>
    <message>
        <source>Prompt sets</source>
        <translation>프롬프트 세트</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>첫 토큰까지의 시간</translation>
    </message>
    <message>
        <source>Counted as</source>
        <translation>센 단위</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>전체 속도</translation>
    </message>
    <message>
        <source>Between tokens</source>
        <translation>토큰 간격</translation>
    </message>
    <message>
        <source>Between steps</source>
        <translation>단계 간격</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>드래프트</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>사용 중</translation>
    </message>
    <message>
        <source>Active: weights</source>
        <translation>사용 중: 가중치</translation>
    </message>
    <message>
        <source>Active: KV cache</source>
        <translation>사용 중: KV 캐시</translation>
    </message>
    <message>
        <source>Active: other</source>
        <translation>사용 중: 기타</translation>
    </message>
    <message>
        <source>Allocator cache</source>
        <translation>할당자 캐시</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>최고</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>한도</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>초당 토큰</translation>
    </message>
    <message>
        <source>Token</source>
        <comment>index</comment>
        <translation>토큰 번호</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>종류</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>사용</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>가중치</translation>
    </message>
    <message>
        <source>License</source>
        <translation>라이선스</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>다운로드</translation>
    </message>
    <message>
        <source>Downloads from the Hugging Face Hub in the last month.</source>
        <translation>지난 한 달 동안 허브에서 내려받은 횟수입니다.</translation>
    </message>
    <message>
        <source>Date when it was last opened here.</source>
        <translation>여기에서 마지막으로 연 날입니다.</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>변경</translation>
    </message>
    <message>
        <source>gated</source>
        <translation>승인 필요</translation>
    </message>
    <message>
        <source>Details of the selected model</source>
        <translation>선택한 모델의 세부 정보</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>Search in</source>
        <translation>찾을 곳</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>복사됨</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>코드</translation>
    </message>
    <message>
        <source>Python script</source>
        <translation>Python 스크립트</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>명령</translation>
    </message>
    <message>
        <source>The arrow keys switch tabs</source>
        <translation>화살표 키로 탭을 옮겨 갑니다</translation>
    </message>
    <message>
        <source>On this &amp;computer</source>
        <translation>이 컴퓨터(&amp;M)</translation>
    </message>
    <message>
        <source>On the &amp;hub</source>
        <translation>허브(&amp;H)</translation>
    </message>
    <message>
        <source>On &amp;servers</source>
        <translation>서버(&amp;S)</translation>
    </message>
    <message>
        <source>Copy the details for a report</source>
        <translation>도와줄 사람에게 보일 수 있게 무슨 일이 있었는지 복사합니다</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>해결 방법</translation>
    </message>
    <message>
        <source>Possible solutions</source>
        <translation>할 수 있는 조치</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>Notice: {words}</source>
        <translation>알림: {words}</translation>
    </message>
    <message>
        <source>{action} {model}</source>
        <translation>{model} {action}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>Stop the download, and delete the received data</source>
        <translation>다운로드를 멈추고 받은 데이터를 삭제합니다</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>그대로 두기</translation>
    </message>
    <message>
        <source>Stop the download, and delete the {size} received so far?</source>
        <translation>다운로드를 멈추고, 지금까지 받은 {size}를 삭제할까요?</translation>
    </message>
    <message>
        <source>Current downloads with their progress</source>
        <translation>받고 있는 모델과 진행 상황</translation>
    </message>
    <message>
        <source>Sluice contacts the hub when you press List Files or download a file. A file may have at most {size}. Sluice includes no test.</source>
        <translation>“파일 목록”을 누르거나 파일을 다운로드할 때만 허브에 연결합니다. 파일은 최대 {size}입니다. Sluice에는 시험이 들어 있지 않습니다.</translation>
    </message>
    <message>
        <source>Known Tests</source>
        <translation>알려진 시험</translation>
    </message>
    <message>
        <source>Known tests with their dataset and license</source>
        <translation>알려진 시험과 그 데이터셋, 라이선스</translation>
    </message>
    <message>
        <source>Known tests</source>
        <translation>알려진 시험</translation>
    </message>
    <message>
        <source>{test} · {dataset} · license: {license}</source>
        <translation>{test} · {dataset} · 라이선스: {license}</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>명시되지 않음</translation>
    </message>
    <message>
        <source>The id of a dataset on the hub: AUTHOR/NAME</source>
        <translation>허브에 있는 데이터셋의 id: AUTHOR/NAME</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>데이터셋</translation>
    </message>
    <message>
        <source>Ask the hub for the files of this dataset (Enter)</source>
        <translation>허브에 이 데이터셋의 파일 목록을 요청(Enter)</translation>
    </message>
    <message>
        <source>List Files</source>
        <translation>파일 목록</translation>
    </message>
    <message>
        <source>Files that Sluice can read: {suffixes}</source>
        <translation>Sluice가 읽을 수 있는 파일: {suffixes}</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>파일</translation>
    </message>
    <message>
        <source>Download the file, and put examples from it before each prompt of the open set</source>
        <translation>파일을 다운로드해 그 예시를 열린 세트의 각 프롬프트 앞에 넣기</translation>
    </message>
    <message>
        <source>Use as Examples</source>
        <translation>예시로 사용</translation>
    </message>
    <message>
        <source>Download the file, and open it as the prompt set</source>
        <translation>파일을 다운로드해 프롬프트 세트로 열기</translation>
    </message>
    <message>
        <source>Open as Set</source>
        <translation>세트로 열기</translation>
    </message>
    <message>
        <source>Close; a download stops, and continues next time (Esc)</source>
        <translation>닫기. 다운로드는 멈추고 다음에 이어집니다(Esc)</translation>
    </message>
    <message>
        <source>{file}: too large</source>
        <translation>{file}: 너무 큼</translation>
    </message>
    <message>
        <source>Asking the hub…</source>
        <translation>허브에 요청하는 중…</translation>
    </message>
    <message>
        <source>The dataset has no file that Sluice can read.</source>
        <translation>이 데이터셋에는 Sluice가 읽을 수 있는 파일이 없습니다.</translation>
    </message>
    <message>
        <source>{done} of {size} of {file}</source>
        <translation>{file}: {size} 중 {done}</translation>
    </message>
    <message>
        <source>Progress of each file</source>
        <translation>파일별 진행 상황</translation>
    </message>
    <message>
        <source>Pause the download; the received data stays on the disk</source>
        <translation>다운로드를 일시 중지합니다. 받은 데이터는 디스크에 남습니다</translation>
    </message>
    <message>
        <source>Open a model, or wait until the run has ended.</source>
        <translation>모델을 열거나 실행이 끝날 때까지 기다리세요.</translation>
    </message>
    <message>
        <source>Evaluations appear here after their first answer. You can open and resume them.</source>
        <translation>평가는 첫 답이 나오면 여기에 나타납니다. 열어서 이어 할 수 있습니다.</translation>
    </message>
    <message>
        <source>Finished answers</source>
        <translation>끝난 답의 수</translation>
    </message>
    <message>
        <source>Earlier evaluations, the latest first</source>
        <translation>지난 평가, 최근 것부터</translation>
    </message>
    <message>
        <source>Earlier evaluations</source>
        <translation>지난 평가</translation>
    </message>
    <message>
        <source>Show the results of this evaluation; Start resumes it</source>
        <translation>이 평가의 결과를 보여 줍니다. 시작하면 이어집니다</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Delete the sessions that contain its answers; Undo restores them</source>
        <translation>답이 담긴 세션을 삭제합니다. 실행 취소로 되돌릴 수 있습니다</translation>
    </message>
    <message>
        <source>Restore its answers</source>
        <translation>그 답을 되돌립니다</translation>
    </message>
    <message>
        <source>{verb}: {title}</source>
        <translation>{verb}: {title}</translation>
    </message>
    <message>
        <source>Open this model</source>
        <translation>이 모델을 엽니다</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>일시 중지</translation>
    </message>
    <message>
        <source>Save the results: JSON, CSV, JSONL, Markdown, or a page for any browser</source>
        <translation>결과 저장: JSON, CSV, JSONL, Markdown 또는 브라우저용 페이지</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>계속</translation>
    </message>
    <message>
        <source>Enter opens the selected model; a click on a heading sorts</source>
        <translation>Enter로 선택한 모델을 열고, 열 제목을 눌러 정렬합니다</translation>
    </message>
    <message>
        <source>{hint} (the arrow keys move in the table)</source>
        <translation>{hint}(화살표 키로 표 안에서 이동)</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>들어감</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>빠듯함</translation>
    </message>
    <message>
        <source>Won&apos;t fit</source>
        <translation>들어가지 않음</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>합계</translation>
    </message>
    <message>
        <source>sum of the rows above</source>
        <translation>위 항목을 모두 더한 값</translation>
    </message>
    <message>
        <source>recommended by the device, or its total memory (90 % on CUDA); lower if the settings have a lower limit</source>
        <translation>장치가 권하는 값 또는 메모리 전체(CUDA에서는 90 %). 설정에 더 낮은 한도가 있으면 그 값</translation>
    </message>
    <message>
        <source>Context length for the estimate, in tokens</source>
        <translation>계산에 쓰는 컨텍스트 길이(토큰 수)</translation>
    </message>
    <message>
        <source>Context length of the estimate</source>
        <translation>계산에 쓰는 컨텍스트 길이</translation>
    </message>
    <message>
        <source>Does it fit: {verdict}</source>
        <translation>메모리: {verdict}</translation>
    </message>
    <message>
        <source>Does it fit?</source>
        <translation>메모리에 들어가나요?</translation>
    </message>
    <message>
        <source>Search by name or author, or paste an id or address, then Enter</source>
        <translation>이름이나 만든 이로 검색하거나, ID나 주소를 붙여 넣고 Enter</translation>
    </message>
    <message>
        <source>huggingface.co has thousands of models for MLX. Search for one, and see if it fits before you download it.</source>
        <translation>huggingface.co에는 MLX용 모델이 수천 개 있습니다. 모델을 검색하고, 다운로드하기 전에 메모리에 들어가는지 확인하세요.</translation>
    </message>
    <message>
        <source>Sluice contacts the hub only when you search, and downloads only when you press Download.</source>
        <translation>Sluice는 검색할 때에만 허브에 연결하고, 다운로드를 누를 때에만 내려받습니다.</translation>
    </message>
    <message>
        <source>Most downloads</source>
        <translation>다운로드 많은 순</translation>
    </message>
    <message>
        <source>Most likes</source>
        <translation>좋아요 많은 순</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>최신순</translation>
    </message>
    <message>
        <source>Download this model into the Hugging Face cache (Enter)</source>
        <translation>이 모델을 Hugging Face 캐시로 다운로드(Enter)</translation>
    </message>
    <message>
        <source>Search the hub</source>
        <translation>허브 검색</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>검색</translation>
    </message>
    <message>
        <source>Open this model, which is on this computer (Enter)</source>
        <translation>이 컴퓨터에 있습니다. 열기(Enter)</translation>
    </message>
    <message>
        <source>It is already being downloaded.</source>
        <translation>이미 다운로드하고 있습니다.</translation>
    </message>
    <message>
        <source>Searching the hub …</source>
        <translation>허브에서 찾는 중 …</translation>
    </message>
    <message>
        <source>The author&apos;s description of the model</source>
        <translation>만든 이가 쓴 모델 설명입니다</translation>
    </message>
    <message>
        <source>Token…</source>
        <translation>토큰…</translation>
    </message>
    <message>
        <source>Find models on Hugging Face</source>
        <translation>Hugging Face에서 모델 찾기</translation>
    </message>
    <message>
        <source>A 4-bit model takes about 0.6 GB per billion parameters, on the disk and in memory.</source>
        <translation>4비트 모델은 매개변수 10억 개마다 디스크와 메모리를 약 0.6 GB씩 씁니다.</translation>
    </message>
    <message>
        <source>Models on the hub</source>
        <translation>허브의 모델</translation>
    </message>
    <message>
        <source>Search the hub (Enter)</source>
        <translation>허브를 검색합니다(Enter)</translation>
    </message>
    <message>
        <source>Order of the results; models in MLX format come first</source>
        <translation>결과의 순서입니다. MLX 형식의 모델이 먼저 나옵니다</translation>
    </message>
    <message>
        <source>Enter a token for gated models</source>
        <translation>승인이 필요한 모델에 쓸 토큰을 입력합니다</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>다운로드</translation>
    </message>
    <message>
        <source>No model on the hub that mlx-lm can open has this name.</source>
        <translation>mlx-lm이 열 수 있는 허브 모델 가운데 이 이름의 모델이 없습니다.</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>정렬</translation>
    </message>
    <message>
        <source>Show in Finder</source>
        <translation>Finder에서 보기</translation>
    </message>
    <message>
        <source>Show in file manager</source>
        <translation>파일 관리자에서 보기</translation>
    </message>
    <message>
        <source>Create a smaller copy of this model, with fewer bits per weight</source>
        <translation>가중치당 비트 수를 줄인 더 작은 사본을 만듭니다</translation>
    </message>
    <message>
        <source>Delete this model from this computer</source>
        <translation>이 모델을 이 컴퓨터에서 삭제합니다</translation>
    </message>
    <message>
        <source>Open a model first: a draft model is used together with it.</source>
        <translation>먼저 모델을 여세요. 드래프트 모델은 그 모델과 함께 씁니다.</translation>
    </message>
    <message>
        <source>It is the open model.</source>
        <translation>지금 열려 있는 모델입니다.</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>필터</translation>
    </message>
    <message>
        <source>Searching for models on this computer …</source>
        <translation>이 컴퓨터의 모델을 살펴보는 중…</translation>
    </message>
    <message>
        <source>Choose a model, then press “Quantize…”.</source>
        <translation>모델을 고른 다음 “양자화…”를 누르세요.</translation>
    </message>
    <message>
        <source>Removed from the list: {folders}. Nothing was deleted.</source>
        <translation>{folders}: 목록에서 뺐습니다. 아무것도 삭제하지 않았습니다.</translation>
    </message>
    <message>
        <source>Add a folder whose models are listed</source>
        <translation>목록에 넣을 모델의 폴더를 추가합니다</translation>
    </message>
    <message>
        <source>It is already quantized.</source>
        <translation>이미 양자화되어 있습니다.</translation>
    </message>
    <message>
        <source>It is bundled with Sluice.</source>
        <translation>Sluice에 들어 있는 모델입니다.</translation>
    </message>
    <message>
        <source>There are no models yet. The hub tab has some.</source>
        <translation>아직 모델이 없습니다. 허브 탭에서 받을 수 있습니다.</translation>
    </message>
    <message>
        <source>Checking compatibility with the open model.</source>
        <translation>열린 모델에 맞는지 살펴보고 있습니다.</translation>
    </message>
    <message>
        <source>Delete “{name}” from this computer? That frees {size}.</source>
        <translation>“{name}” 모델을 이 컴퓨터에서 삭제할까요? {size}를 비울 수 있습니다.</translation>
    </message>
    <message>
        <source>Deleted “{name}”; {size} were freed.</source>
        <translation>“{name}” 모델을 삭제했습니다. {size}를 비웠습니다.</translation>
    </message>
    <message>
        <source>Filter by name, type or folder</source>
        <translation>이름, 종류, 폴더로 필터링</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>폴더 추가…</translation>
    </message>
    <message>
        <source>Show the folder of this model</source>
        <translation>이 모델의 폴더를 봅니다</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>삭제…</translation>
    </message>
    <message>
        <source>Use as draft</source>
        <translation>드래프트로 사용</translation>
    </message>
    <message>
        <source>Open this model (Enter)</source>
        <translation>이 모델 열기(Enter)</translation>
    </message>
    <message>
        <source>The temporary file for the model&apos;s distributions could not be written ({reason}).</source>
        <translation>모델이 말하는 것을 담는 임시 파일에 쓸 수 없습니다({reason}).</translation>
    </message>
    <message>
        <source>Free disk space, or choose a shorter text.</source>
        <translation>디스크에 공간을 만들거나 더 짧은 글을 쓰세요.</translation>
    </message>
    <message>
        <source>Compiling the output format</source>
        <translation>출력 형식을 컴파일하는 중</translation>
    </message>
    <message>
        <source>Choose a model first.</source>
        <translation>먼저 모델을 고르세요.</translation>
    </message>
    <message>
        <source>A batch needs the same adapter strength in all requests.</source>
        <translation>배치의 모든 요청은 어댑터 세기가 같아야 합니다.</translation>
    </message>
    <message>
        <source>Continue without a draft model.</source>
        <translation>드래프트 모델 없이 계속하세요.</translation>
    </message>
    <message>
        <source>Choose another draft model, or continue without one.</source>
        <translation>다른 드래프트 모델을 선택하거나 드래프트 모델 없이 계속하세요.</translation>
    </message>
    <message>
        <source>The prompt has {length} tokens, but the context window holds {context}.</source>
        <translation>프롬프트는 토큰 {length}개인데 모델의 컨텍스트에는 {context}개가 들어갑니다.</translation>
    </message>
    <message>
        <source>It is in use: open another model first.</source>
        <translation>사용 중입니다. 먼저 다른 모델을 여세요.</translation>
    </message>
    <message>
        <source>Use this model as the draft model of the open one, for speculative decoding</source>
        <translation>이 모델을 열린 모델의 드래프트 모델로 써서 추측 디코딩을 합니다</translation>
    </message>
    <message>
        <source>Remove the folder from the list; nothing in it is deleted</source>
        <translation>선택한 폴더를 목록에서 뺍니다. 폴더 안의 파일은 삭제하지 않습니다</translation>
    </message>
    <message>
        <source>Remove from list</source>
        <translation>목록에서 빼기</translation>
    </message>
    <message>
        <source>No model matches.</source>
        <translation>맞는 모델이 없습니다.</translation>
    </message>
    <message>
        <source>Draft models for {model}. Gray ones aren&apos;t compatible.</source>
        <translation>{model}의 드래프트 모델입니다. 회색은 맞지 않는 모델입니다.</translation>
    </message>
    <message>
        <source>{rate}/s</source>
        <translation>{rate}/s</translation>
    </message>
    <message>
        <source>{rate}/s · {time} left</source>
        <translation>{rate}/s · {time} 남음</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>일시 중지됨</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>중지되었습니다.</translation>
    </message>
    <message>
        <source>It failed.</source>
        <translation>실패했습니다.</translation>
    </message>
    <message>
        <source>Put parentheses around the alternatives: otherwise ^ and $ apply to only one of them.</source>
        <translation>|로 나뉜 전체를 괄호로 묶으세요. 그러지 않으면 ^와 $가 한쪽에만 적용됩니다.</translation>
    </message>
    <message>
        <source>Its finish reason is {reason}, not EOS.</source>
        <translation>다르게 끝났습니다: {reason}.</translation>
    </message>
    <message>
        <source>This row has no expected answer.</source>
        <translation>이 행에는 기대하는 값이 없습니다.</translation>
    </message>
    <message>
        <source>It is too long to check.</source>
        <translation>너무 길어서 판정할 수 없습니다.</translation>
    </message>
    <message>
        <source>It doesn&apos;t contain the expected text.</source>
        <translation>기대하는 값이 들어 있지 않습니다.</translation>
    </message>
    <message>
        <source>The score is one of {names}.</source>
        <translation>점수는 {names} 중 하나입니다.</translation>
    </message>
    <message>
        <source>The value must be a number, 0 or more.</source>
        <translation>0 이상의 수여야 합니다.</translation>
    </message>
    <message>
        <source>It differs from the expected answer only in upper and lower case.</source>
        <translation>대소문자만 다릅니다.</translation>
    </message>
    <message>
        <source>It differs from the expected answer.</source>
        <translation>기대하는 값이 아닙니다.</translation>
    </message>
    <message>
        <source>The expected answer of this row isn&apos;t a number.</source>
        <translation>이 행에서 기대하는 값이 수가 아닙니다.</translation>
    </message>
    <message>
        <source>The answer contains no number.</source>
        <translation>수가 들어 있지 않습니다.</translation>
    </message>
    <message>
        <source>Its last number is {number}.</source>
        <translation>마지막 수는 {number}입니다.</translation>
    </message>
    <message>
        <source>It has {tokens} tokens.</source>
        <translation>토큰이 {tokens}개입니다.</translation>
    </message>
    <message>
        <source>The expected answer of this row isn&apos;t one of its choices.</source>
        <translation>이 행에서 기대하는 값이 선택지에 없습니다.</translation>
    </message>
    <message>
        <source>It can&apos;t be checked: {why}.</source>
        <translation>알 수 없습니다: {why}.</translation>
    </message>
    <message>
        <source>It doesn&apos;t match the expected format.</source>
        <translation>기대하는 형식이 아닙니다.</translation>
    </message>
    <message>
        <source>It names several choices.</source>
        <translation>여러 선택지를 말합니다.</translation>
    </message>
    <message>
        <source>It names none of the choices.</source>
        <translation>어느 선택지도 말하지 않습니다.</translation>
    </message>
    <message>
        <source>It chose {choice}.</source>
        <translation>{choice}을(를) 골랐습니다.</translation>
    </message>
    <message>
        <source>Queued prompts</source>
        <translation>대기 중인 프롬프트</translation>
    </message>
    <message numerus="yes">
        <source>%n more prompts are queued</source>
        <comment>%n more prompt is queued</comment>
        <translation>
            <numerusform>프롬프트 %n개가 더 대기 중</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n prompts are queued in other sessions</source>
        <comment>%n prompt is queued in another session</comment>
        <translation>
            <numerusform>다른 세션에 프롬프트 %n개가 대기 중</numerusform>
        </translation>
    </message>
    <message>
        <source>Show the session that is running</source>
        <translation>실행 중인 세션 보기</translation>
    </message>
    <message numerus="yes">
        <source>%n prompts are sent when a model is open</source>
        <comment>%n prompt is sent when a model is open</comment>
        <translation>
            <numerusform>모델이 열리면 프롬프트 %n개를 보냅니다</numerusform>
        </translation>
    </message>
    <message>
        <source>A run continues in “{title}”</source>
        <translation>“{title}”에서 실행이 계속되고 있습니다</translation>
    </message>
    <message>
        <source>Remove the queued prompts of this session</source>
        <translation>이 세션의 대기 중인 프롬프트를 뺍니다</translation>
    </message>
    <message>
        <source>Remove all queued prompts, also those of other sessions</source>
        <translation>다른 세션의 것까지 대기 중인 프롬프트를 모두 뺍니다</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>모두 빼기</translation>
    </message>
    <message numerus="yes">
        <source>%n prompts are queued</source>
        <comment>%n prompt is queued</comment>
        <translation>
            <numerusform>프롬프트 %n개가 대기 중입니다</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them in other sessions</source>
        <comment>%n of them in another session</comment>
        <translation>
            <numerusform>그중 %n개는 다른 세션</numerusform>
        </translation>
    </message>
    <message>
        <source>Send the queued prompts in their order. The run before them was stopped, failed or calls a tool.</source>
        <translation>대기 중인 프롬프트를 순서대로 보냅니다. 바로 앞의 실행이 중지되었거나, 실패했거나, 도구를 호출합니다.</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>지금 보내기</translation>
    </message>
    <message>
        <source>Send after this run</source>
        <translation>이 실행 후 보내기</translation>
    </message>
    <message>
        <source>Queued: {prompt}</source>
        <translation>대기 중: {prompt}</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>차례를 기다리는 중</translation>
    </message>
    <message>
        <source>Move the prompt back into the field, to edit it</source>
        <translation>프롬프트를 입력란으로 옮겨 편집합니다</translation>
    </message>
    <message>
        <source>Remove the prompt from the queue</source>
        <translation>프롬프트를 대기열에서 제거합니다</translation>
    </message>
    <message>
        <source>Sent after the current run, with the settings from when it was queued: {settings}.</source>
        <translation>현재 실행이 끝나면, 대기열에 넣을 때의 설정으로 보냅니다: {settings}.</translation>
    </message>
    <message>
        <source>unlimited</source>
        <translation>무제한</translation>
    </message>
    <message>
        <source>with a system prompt</source>
        <translation>시스템 프롬프트 포함</translation>
    </message>
    <message>
        <source>contacting the hub</source>
        <translation>허브에 연결하는 중</translation>
    </message>
    <message>
        <source>verifying</source>
        <translation>받은 파일을 확인하는 중</translation>
    </message>
    <message>
        <source>0 B/s: stalled</source>
        <translation>0 B/s: 멈춤</translation>
    </message>
    <message>
        <source>waiting to retry</source>
        <translation>다시 시도하려고 기다리는 중</translation>
    </message>
    <message>
        <source>{size}, complete and verified</source>
        <translation>{size}, 확인까지 완료</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>완료</translation>
    </message>
    <message>
        <source>Downloading {model}: {standing}</source>
        <translation>{model} 다운로드 중: {standing}</translation>
    </message>
    <message numerus="yes">
        <source>%n downloads · {rate}/s</source>
        <translation>
            <numerusform>다운로드 %n개 · {rate}/s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n downloads: {share} · {rate}/s</source>
        <translation>
            <numerusform>다운로드 %n개: {share} · {rate}/s</numerusform>
        </translation>
    </message>
    <message>
        <source>{percent} of {size}</source>
        <translation>{size} 중 {percent}</translation>
    </message>
    <message>
        <source>Keep the earlier prompt</source>
        <translation>앞서 보낸 프롬프트 그대로 두기</translation>
    </message>
    <message>
        <source>Cancel (Esc)</source>
        <translation>취소(Esc)</translation>
    </message>
    <message>
        <source>Open the downloaded model</source>
        <translation>받은 모델을 엽니다</translation>
    </message>
    <message>
        <source>Show the downloads</source>
        <translation>다운로드를 봅니다</translation>
    </message>
    <message>
        <source>Remove this message; the model stays</source>
        <translation>이 메시지를 없앱니다. 모델은 남습니다</translation>
    </message>
    <message>
        <source>Downloads: {words}</source>
        <translation>다운로드: {words}</translation>
    </message>
    <message>
        <source>The download of {model} failed: {what}</source>
        <translation>{model} 다운로드 실패: {what}</translation>
    </message>
    <message>
        <source>{model} could not be created: {what}</source>
        <translation>{model}을(를) 만들지 못했습니다: {what}</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Hugging Face 캐시</translation>
    </message>
    <message>
        <source>bundled with Sluice</source>
        <translation>Sluice에 포함</translation>
    </message>
    <message>
        <source>your folder</source>
        <translation>내 폴더</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>정밀도</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>구조</translation>
    </message>
    <message>
        <source>none: use Raw mode</source>
        <translation>없음: Raw 모드를 쓰세요</translation>
    </message>
    <message>
        <source>not in Sluice yet</source>
        <translation>Sluice에서는 아직 없음</translation>
    </message>
    <message>
        <source>Download size</source>
        <translation>다운로드 크기</translation>
    </message>
    <message>
        <source>not specified</source>
        <translation>밝히지 않음</translation>
    </message>
    <message>
        <source>yes: requires a login and the owner&apos;s consent</source>
        <translation>예: 로그인과 소유자의 동의가 필요함</translation>
    </message>
    <message>
        <source>MLX format</source>
        <translation>MLX 형식</translation>
    </message>
    <message>
        <source>no; mlx-lm may still be able to load it</source>
        <translation>아니요. 그래도 mlx-lm이 불러올 수 있습니다</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>컨텍스트</translation>
    </message>
    <message>
        <source>Size of its files on disk (MB = 10⁶ bytes, GB = 10⁹ bytes).</source>
        <translation>파일들이 이 컴퓨터의 디스크에서 차지하는 양으로, 10의 거듭제곱인 MB나 GB입니다.</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>어휘</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>채팅 템플릿</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>토큰/초</translation>
    </message>
    <message>
        <source>tok/s per 100 tokens</source>
        <translation>100토큰당 토큰/초</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>예</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>마지막 사용</translation>
    </message>
    <message>
        <source>From</source>
        <translation>출처</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>폴더</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>만든 이</translation>
    </message>
    <message>
        <source>Gated</source>
        <translation>승인 필요</translation>
    </message>
    <message>
        <source>no</source>
        <translation>아니요</translation>
    </message>
    <message>
        <source>Likes</source>
        <translation>좋아요</translation>
    </message>
    <message>
        <source>This model&apos;s KV cache can&apos;t be quantized.</source>
        <translation>이 모델의 KV 캐시는 양자화할 수 없습니다.</translation>
    </message>
    <message>
        <source>No group size suits this model&apos;s heads.</source>
        <translation>이 모델의 헤드에 맞는 그룹 크기가 없습니다.</translation>
    </message>
    <message>
        <source>not quantized</source>
        <translation>양자화하지 않음</translation>
    </message>
    <message>
        <source>save {share} of the KV cache&apos;s memory</source>
        <translation>KV 캐시 메모리를 {share} 줄입니다</translation>
    </message>
    <message>
        <source>take {share} more memory for the KV cache</source>
        <translation>KV 캐시 메모리를 {share} 더 씁니다</translation>
    </message>
    <message>
        <source>are {speed}</source>
        <translation>{speed}입니다</translation>
    </message>
    <message>
        <source>{count} bits</source>
        <translation>{count}비트</translation>
    </message>
    <message>
        <source>{arm} {clauses}</source>
        <translation>{arm}: {clauses}</translation>
    </message>
    <message>
        <source>What does KV quantization save and cost?</source>
        <translation>KV 양자화는 무엇을 아끼고 무엇을 잃나요?</translation>
    </message>
    <message>
        <source>How much memory does a quantized KV cache save, at what speed, and where does the text change?</source>
        <translation>키와 값의 비트를 줄이면 메모리를 얼마나 아끼고, 속도는 어떠하며, 글은 어디부터 달라지나요?</translation>
    </message>
    <message numerus="yes">
        <source>{size} in %n files</source>
        <comment>{size} in %n file</comment>
        <translation>
            <numerusform>파일 %n개, {size}</numerusform>
        </translation>
    </message>
    <message>
        <source>Use</source>
        <translation>사용</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>잊기</translation>
    </message>
    <message>
        <source>Only if the server asks for one</source>
        <translation>서버가 요구할 때만</translation>
    </message>
    <message>
        <source>Leave it empty to keep the current key</source>
        <translation>비워 두면 키가 그대로 남습니다</translation>
    </message>
    <message>
        <source>Enter the key again: it is never sent to another address</source>
        <translation>다시 입력하세요. 키는 다른 주소로 보내지 않습니다</translation>
    </message>
    <message>
        <source>Address: host:port, or a URL with https</source>
        <translation>주소: 호스트:포트 또는 https URL</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>키</translation>
    </message>
    <message>
        <source>The {keychain} can&apos;t be used: {why}</source>
        <translation>{keychain}을 쓸 수 없습니다: {why}</translation>
    </message>
    <message>
        <source>A&amp;ddress</source>
        <translation>주소(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>이름(&amp;N)</translation>
    </message>
    <message>
        <source>Name of the server, shown on the model button</source>
        <translation>서버의 이름. 모델 버튼에 나타납니다</translation>
    </message>
    <message>
        <source>Sent only to this server; never written to a file</source>
        <translation>이 서버에만 보내며 Sluice의 어떤 파일에도 남지 않습니다</translation>
    </message>
    <message>
        <source>Default: the address</source>
        <translation>비워 두면 주소</translation>
    </message>
    <message>
        <source>Remove the key, also from the keychain</source>
        <translation>키를 키체인에서도 지웁니다</translation>
    </message>
    <message>
        <source>Remove key</source>
        <translation>키 지우기</translation>
    </message>
    <message>
        <source>Add the server to the list and ask it for its models (Enter)</source>
        <translation>서버를 목록에 추가하고 모델 목록을 요청합니다 (Enter)</translation>
    </message>
    <message>
        <source>it hasn&apos;t answered yet</source>
        <translation>아직 응답하지 않았습니다</translation>
    </message>
    <message>
        <source>Save in the {keychain}</source>
        <translation>{keychain}에 저장</translation>
    </message>
    <message>
        <source>Available at the next start; never written to a file</source>
        <translation>다음에 시작할 때도 남아 있으며, Sluice의 파일에는 저장하지 않습니다</translation>
    </message>
    <message>
        <source>The key stays in memory until Sluice quits. The {keychain} can&apos;t be used: {why}.</source>
        <translation>키는 Sluice를 종료할 때까지 메모리에만 둡니다. {keychain}을 쓸 수 없습니다: {why}.</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>키(&amp;K)</translation>
    </message>
    <message>
        <source>The key was removed.</source>
        <translation>키를 지웠습니다.</translation>
    </message>
    <message>
        <source>Required by gated and private models; never written to a file</source>
        <translation>승인이 필요하거나 비공개인 모델에 씁니다. Sluice의 파일에는 저장하지 않습니다</translation>
    </message>
    <message>
        <source>Without a token, your Hugging Face login (hf auth login) is used.</source>
        <translation>토큰이 없으면 Hugging Face 로그인(hf auth login)을 사용합니다.</translation>
    </message>
    <message>
        <source>Use this token for the hub (Enter)</source>
        <translation>허브에 이 토큰을 사용합니다(Enter)</translation>
    </message>
    <message>
        <source>Remove this token, also from the keychain</source>
        <translation>이 토큰을 더 쓰지 않고 키체인에서 지웁니다</translation>
    </message>
    <message>
        <source>Token for gated models</source>
        <translation>승인이 필요한 모델의 토큰</translation>
    </message>
    <message>
        <source>Token for gated models (hf_…)</source>
        <translation>승인이 필요한 모델의 토큰(hf_…)</translation>
    </message>
    <message>
        <source>Your token is in the {keychain}, and in no file.</source>
        <translation>토큰은 {keychain}에 있으며, Sluice의 파일에는 저장하지 않습니다.</translation>
    </message>
    <message>
        <source>Your token is used until Sluice quits; it is never written to a file.</source>
        <translation>토큰은 Sluice를 종료할 때까지 사용하며, 파일에는 저장하지 않습니다.</translation>
    </message>
    <message>
        <source>Stays in memory until Sluice quits; never written to a file.</source>
        <translation>Sluice를 종료할 때까지 메모리에만 두며, Sluice의 파일에는 저장하지 않습니다.</translation>
    </message>
    <message>
        <source>Stays in memory until Sluice quits, unless it is saved in the {keychain}; never written to a file.</source>
        <translation>{keychain}에 저장하지 않으면 Sluice를 종료할 때까지 메모리에만 두며, Sluice의 파일에는 저장하지 않습니다.</translation>
    </message>
    <message>
        <source>Asking the {keychain} …</source>
        <translation>{keychain}에 묻는 중…</translation>
    </message>
    <message>
        <source>The {keychain} can&apos;t be used: {why}.</source>
        <translation>{keychain}을 쓸 수 없습니다: {why}.</translation>
    </message>
    <message>
        <source>Raise the limit</source>
        <translation>한도 늘리기</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>다시 시도</translation>
    </message>
    <message>
        <source>Edit the prompt</source>
        <translation>프롬프트 고치기</translation>
    </message>
    <message>
        <source>Step by step</source>
        <translation>단계별로 보기</translation>
    </message>
    <message>
        <source>The operation failed.</source>
        <translation>이 작업을 하지 못했습니다.</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>다시 시도하세요.</translation>
    </message>
    <message>
        <source>Regenerate it.</source>
        <translation>다시 생성하세요.</translation>
    </message>
    <message>
        <source>This answer has no recorded run, so its token ids are unknown.</source>
        <translation>이 답변에는 기록된 실행이 없어 토큰 ID를 알 수 없습니다.</translation>
    </message>
    <message>
        <source>A server returned this answer as text, so its token ids are unknown.</source>
        <translation>서버가 이 답변을 텍스트로 돌려주어 토큰 ID를 알 수 없습니다.</translation>
    </message>
    <message>
        <source>Open the model on this computer and regenerate the answer.</source>
        <translation>이 컴퓨터에서 모델을 열고 다시 생성하세요.</translation>
    </message>
    <message>
        <source>Choose another token.</source>
        <translation>있는 토큰을 고르세요.</translation>
    </message>
    <message>
        <source>No replacement for the token was given.</source>
        <translation>토큰을 대신할 것이 지정되지 않았습니다.</translation>
    </message>
    <message>
        <source>The EOS token ends the answer, so nothing can follow it.</source>
        <translation>종료 토큰은 답변을 끝내므로 그 뒤에 이어질 글이 없습니다.</translation>
    </message>
    <message>
        <source>The answer has no such token.</source>
        <translation>답변에 그런 토큰이 없습니다.</translation>
    </message>
    <message>
        <source>Choose an alternative, or type some text.</source>
        <translation>후보를 고르거나 글을 입력하세요.</translation>
    </message>
    <message>
        <source>Choose another alternative.</source>
        <translation>다른 후보를 고르세요.</translation>
    </message>
    <message>
        <source>Open {writer} first.</source>
        <translation>먼저 {writer} 모델을 여세요.</translation>
    </message>
    <message>
        <source>The engine is not running.</source>
        <translation>엔진이 실행되고 있지 않습니다.</translation>
    </message>
    <message>
        <source>Restart Sluice.</source>
        <translation>Sluice를 다시 시작하세요.</translation>
    </message>
    <message>
        <source>The engine could not be started.</source>
        <translation>엔진을 시작하지 못했습니다.</translation>
    </message>
    <message>
        <source>Reinstall Sluice.</source>
        <translation>Sluice를 다시 설치하세요.</translation>
    </message>
    <message>
        <source>The prompt preview failed.</source>
        <translation>프롬프트 미리보기에 실패했습니다.</translation>
    </message>
    <message>
        <source>Change the prompt, or send it anyway.</source>
        <translation>프롬프트를 고치거나 그대로 보내세요.</translation>
    </message>
    <message>
        <source>The engine failed during the measurement.</source>
        <translation>측정하는 동안 엔진이 실패했습니다.</translation>
    </message>
    <message>
        <source>An error ended the experiment or evaluation.</source>
        <translation>오류로 실험이나 평가가 끝났습니다.</translation>
    </message>
    <message>
        <source>An error ended the experiment.</source>
        <translation>실험이 중간에 끊겼습니다.</translation>
    </message>
    <message>
        <source>MLX has no backend here.</source>
        <translation>이 설치에는 MLX 백엔드가 없습니다.</translation>
    </message>
    <message>
        <source>Install Sluice with one: uv tool install &apos;sluice-lm[cpu]&apos;.</source>
        <translation>백엔드를 포함해 Sluice를 설치하세요: uv tool install &apos;sluice-lm[cpu]&apos;.</translation>
    </message>
    <message>
        <source>“{model}” could not be opened.</source>
        <translation>“{model}” 모델을 열지 못했습니다.</translation>
    </message>
    <message>
        <source>Try another model.</source>
        <translation>다른 모델을 써 보세요.</translation>
    </message>
    <message>
        <source>The engine failed during this run.</source>
        <translation>실행 도중에 엔진에서 오류가 났습니다.</translation>
    </message>
    <message>
        <source>The tokenizer failed at this text.</source>
        <translation>토크나이저가 이 글을 처리하지 못했습니다.</translation>
    </message>
    <message>
        <source>The prompt has no part that can be left out.</source>
        <translation>프롬프트에 뺄 수 있는 것이 없습니다.</translation>
    </message>
    <message>
        <source>Write a longer prompt.</source>
        <translation>프롬프트를 더 길게 쓰세요.</translation>
    </message>
    <message>
        <source>Try another text.</source>
        <translation>다른 글로 시도하세요.</translation>
    </message>
    <message>
        <source>The engine failed at this prompt.</source>
        <translation>엔진이 이 프롬프트를 처리하지 못했습니다.</translation>
    </message>
    <message>
        <source>Try again, or change the prompt.</source>
        <translation>다시 시도하거나 프롬프트를 고치세요.</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>가중치</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>열린 모델이 없습니다.</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>먼저 모델을 여세요.</translation>
    </message>
    <message>
        <source>The prompt has {length} tokens, but the model&apos;s context window has only {context}.</source>
        <translation>프롬프트는 토큰 {length}개인데 모델의 컨텍스트는 {context}개뿐입니다.</translation>
    </message>
    <message>
        <source>Shorten it, or start a new session.</source>
        <translation>프롬프트를 줄이거나 새 세션을 시작하세요.</translation>
    </message>
    <message>
        <source>scripted: no model is loaded</source>
        <translation>각본 엔진: 불러온 모델이 없습니다</translation>
    </message>
    <message>
        <source>There is nothing to send.</source>
        <translation>보낼 것이 없습니다.</translation>
    </message>
    <message>
        <source>Write a prompt first.</source>
        <translation>먼저 프롬프트를 쓰세요.</translation>
    </message>
    <message>
        <source>Run the variants one by one.</source>
        <translation>하나씩 실행하세요.</translation>
    </message>
    <message>
        <source>A server batches requests itself.</source>
        <translation>요청을 묶는 일은 서버가 직접 합니다.</translation>
    </message>
    <message>
        <source>Download the model again, or choose another.</source>
        <translation>모델을 다시 다운로드하거나 다른 모델을 선택하세요.</translation>
    </message>
    <message>
        <source>config.json has no model type.</source>
        <translation>config.json에 모델의 유형이 적혀 있지 않습니다.</translation>
    </message>
    <message>
        <source>The model folder has no tokenizer.</source>
        <translation>모델에 토크나이저가 없습니다.</translation>
    </message>
    <message>
        <source>{file} could not be read.</source>
        <translation>{file} 파일을 읽지 못했습니다.</translation>
    </message>
    <message>
        <source>{file} contains no JSON object.</source>
        <translation>{file} 파일에 JSON 객체가 없습니다.</translation>
    </message>
    <message>
        <source>{file} is only a Git LFS pointer: the weights were not downloaded.</source>
        <translation>{file} 파일은 git-lfs 포인터일 뿐이고, 가중치 자체는 다운로드되지 않았습니다.</translation>
    </message>
    <message>
        <source>Run “git lfs pull” in the folder, or download the model again.</source>
        <translation>폴더에서 “git lfs pull”을 실행하거나 모델을 다시 다운로드하세요.</translation>
    </message>
    <message>
        <source>The folder “{name}” has no config.json, so it is not a model in the Hugging Face format.</source>
        <translation>“{name}” 폴더에 config.json이 없으므로 Hugging Face 형식의 모델이 아닙니다.</translation>
    </message>
    <message>
        <source>Choose the folder that contains config.json and the .safetensors files.</source>
        <translation>config.json과 .safetensors 파일이 들어 있는 폴더를 선택하세요.</translation>
    </message>
    <message>
        <source>This model needs its own Python code, which Sluice doesn&apos;t run.</source>
        <translation>이 모델은 자체 Python 코드를 실행하려 하지만, Sluice는 그런 코드를 실행하지 않습니다.</translation>
    </message>
    <message>
        <source>Choose a model that mlx-lm supports without remote code.</source>
        <translation>원격 코드 없이 mlx-lm이 지원하는 모델을 선택하세요.</translation>
    </message>
    <message>
        <source>The folder refers to its own Python code. Sluice doesn&apos;t run it, and uses mlx-lm&apos;s model class.</source>
        <translation>폴더가 자체 Python 코드를 지정하지만 실행하지 않고, mlx-lm에 있는 모델을 사용합니다.</translation>
    </message>
    <message>
        <source>config.json has {count} layers, but the weights have {tensors} tensors.</source>
        <translation>config.json에는 레이어가 {count}개라고 되어 있는데, 가중치에는 텐서가 {tensors}개뿐입니다.</translation>
    </message>
    <message>
        <source>{missing} of {all} weight files are missing, the first is {first}.</source>
        <translation>가중치 파일 {all}개 가운데 {missing}개가 없습니다. 첫 번째로 없는 파일은 {first}입니다.</translation>
    </message>
    <message>
        <source>The folder has no weights (model*.safetensors).</source>
        <translation>폴더에 가중치(model*.safetensors)가 없습니다.</translation>
    </message>
    <message>
        <source>The folder has no weights (model*.safetensors), only {kinds} files, which mlx-lm doesn&apos;t read.</source>
        <translation>폴더에 가중치(model*.safetensors)가 없습니다. {kinds} 파일이 있지만 mlx-lm은 읽지 않습니다.</translation>
    </message>
    <message>
        <source>Choose an MLX or safetensors version of the model.</source>
        <translation>이 모델의 MLX 또는 safetensors 버전을 선택하세요.</translation>
    </message>
    <message>
        <source>{file} is not a safetensors file.</source>
        <translation>{file} 파일은 safetensors 파일이 아닙니다.</translation>
    </message>
    <message>
        <source>{file} is incomplete: it has {there} of {all} bytes.</source>
        <translation>{file} 파일이 완전하지 않습니다. {all}바이트 가운데 {there}바이트만 있습니다.</translation>
    </message>
    <message>
        <source>No draft model is loaded.</source>
        <translation>불러온 드래프트 모델이 없습니다.</translation>
    </message>
    <message>
        <source>Choose a draft model, or set the draft tokens to 0.</source>
        <translation>드래프트 모델을 선택하거나 드래프트 토큰을 0으로 설정하세요.</translation>
    </message>
    <message>
        <source>The prompt is empty.</source>
        <translation>프롬프트가 비어 있습니다.</translation>
    </message>
    <message>
        <source>Type something first.</source>
        <translation>먼저 내용을 입력하세요.</translation>
    </message>
    <message>
        <source>The prompt has the token id {token}, but the vocabulary has {vocabulary} tokens.</source>
        <translation>프롬프트에 토큰 ID {token}이(가) 있는데, 어휘의 토큰은 {vocabulary}개입니다.</translation>
    </message>
    <message>
        <source>Turn prompt lookup off.</source>
        <translation>Prompt lookup을 끄세요.</translation>
    </message>
    <message>
        <source>Prompt lookup needs a KV cache of unlimited size, which it can trim.</source>
        <translation>Prompt lookup에는 되감을 수 있도록 크기 제한이 없는 KV 캐시가 필요합니다.</translation>
    </message>
    <message>
        <source>Remove the size limit, or turn prompt lookup off.</source>
        <translation>크기 제한을 없애거나 prompt lookup을 끄세요.</translation>
    </message>
    <message>
        <source>An automatic number of draft tokens needs a KV cache of unlimited size, which it can trim.</source>
        <translation>드래프트 토큰 수를 자동으로 정하려면 되감을 수 있도록 크기 제한이 없는 KV 캐시가 필요합니다.</translation>
    </message>
    <message>
        <source>Remove the size limit, or choose a number of draft tokens.</source>
        <translation>크기 제한을 없애거나 드래프트 토큰 수를 정하세요.</translation>
    </message>
    <message>
        <source>This model makes its own KV cache, which has no size setting.</source>
        <translation>이 모델은 캐시를 직접 만들므로 크기를 정할 수 없습니다.</translation>
    </message>
    <message>
        <source>Remove the size limit; max tokens and the context window still limit a run.</source>
        <translation>크기 제한을 없애세요. 실행 길이는 최대 토큰과 컨텍스트로 제한됩니다.</translation>
    </message>
    <message>
        <source>Turn KV quantization off, or remove the size limit.</source>
        <translation>KV 양자화를 끄거나 크기 제한을 없애세요.</translation>
    </message>
    <message>
        <source>Turn KV quantization off.</source>
        <translation>KV 양자화를 끄세요.</translation>
    </message>
    <message>
        <source>Shorten the prompt, start a new session, or open a smaller model.</source>
        <translation>프롬프트를 줄이거나, 새 세션을 시작하거나, 더 작은 모델을 여세요.</translation>
    </message>
    <message>
        <source>The text needs {needed:.1f} GB for KV caches and logits, and {free:.1f} GB are free.</source>
        <translation>텍스트의 KV 캐시와 로짓에 {needed:.1f} GB가 필요한데, 남은 메모리는 {free:.1f} GB입니다.</translation>
    </message>
    <message>
        <source>The KV cache can&apos;t grow: {free:.1f} GB are free.</source>
        <translation>KV 캐시를 더 늘릴 자리가 없습니다. {free:.1f} GB만 비어 있습니다.</translation>
    </message>
    <message>
        <source>Start a new session, or open a smaller model.</source>
        <translation>새 세션을 시작하거나 더 작은 모델을 여세요.</translation>
    </message>
    <message>
        <source>The tokenizer doesn&apos;t fit this model; download the model again.</source>
        <translation>토크나이저가 이 모델의 것이 아닙니다. 모델을 다시 다운로드하세요.</translation>
    </message>
    <message>
        <source>Only a plain KV cache of unlimited size can be quantized.</source>
        <translation>크기 제한이 없는 일반 KV 캐시만 양자화할 수 있습니다.</translation>
    </message>
    <message>
        <source>Heads of size {size} can&apos;t be quantized in groups of {group}.</source>
        <translation>크기가 {size}인 헤드는 {group}개씩 묶어 양자화할 수 없습니다.</translation>
    </message>
    <message>
        <source>Choose a smaller group size.</source>
        <translation>그룹 크기를 더 작게 고르세요.</translation>
    </message>
    <message>
        <source>The system&apos;s OpenBLAS computes matrix products, on one thread because the model is small.</source>
        <translation>행렬 곱은 시스템의 OpenBLAS가 맡고, 모델이 작아서 스레드 하나만 씁니다.</translation>
    </message>
    <message>
        <source>The system&apos;s OpenBLAS computes matrix products.</source>
        <translation>행렬 곱은 시스템의 OpenBLAS가 맡습니다.</translation>
    </message>
    <message>
        <source>this model&apos;s KV cache can&apos;t be trimmed, so the whole prompt was prefilled</source>
        <translation>이 모델의 캐시는 되감을 수 없어서 프롬프트 전체를 다시 처리했습니다</translation>
    </message>
    <message>
        <source>cache reuse is turned off</source>
        <translation>재사용이 꺼져 있습니다</translation>
    </message>
    <message>
        <source>nothing was cached yet</source>
        <translation>아직 캐시에 든 것이 없습니다</translation>
    </message>
    <message>
        <source>the cache was made with other settings</source>
        <translation>캐시가 다른 설정으로 만들어졌습니다</translation>
    </message>
    <message>
        <source>the prompt continues the cached one</source>
        <translation>프롬프트가 캐시에 든 내용에서 이어집니다</translation>
    </message>
    <message>
        <source>the whole prompt was cached; only its last token is processed again</source>
        <translation>프롬프트 전체가 캐시에 있었고, 시작하려고 마지막 토큰만 다시 넣었습니다</translation>
    </message>
    <message>
        <source>the prompt differs from the cached tokens at token {place}</source>
        <translation>프롬프트가 토큰 {place}에서 캐시된 토큰과 달라집니다</translation>
    </message>
    <message>
        <source>The model&apos;s KV cache can&apos;t be trimmed, which a draft model needs.</source>
        <translation>모델의 캐시를 토큰 단위로 되감을 수 없는데, 드래프트 모델에는 그것이 필요합니다.</translation>
    </message>
    <message>
        <source>The model&apos;s KV cache can&apos;t be trimmed, so rejected draft tokens would remain in it.</source>
        <translation>모델의 KV 캐시를 되감을 수 없어, 거절된 드래프트 토큰이 그 안에 남게 됩니다.</translation>
    </message>
    <message>
        <source>Its tokenizer has no chat template.</source>
        <translation>토크나이저에 채팅 템플릿이 없습니다.</translation>
    </message>
    <message>
        <source>Its cache has a recurrent state and can&apos;t be trimmed.</source>
        <translation>캐시가 진행 상태를 담고 있어 되감을 수 없습니다.</translation>
    </message>
    <message>
        <source>It doesn&apos;t run without its KV cache.</source>
        <translation>캐시 없이는 실행되지 않습니다.</translation>
    </message>
    <message>
        <source>Only plain KV caches can be quantized.</source>
        <translation>일반 KV 캐시만 양자화할 수 있습니다.</translation>
    </message>
    <message>
        <source>Only plain KV caches support batches.</source>
        <translation>일반 KV 캐시만 여러 텍스트를 한꺼번에 담을 수 있습니다.</translation>
    </message>
    <message>
        <source>It creates its own KV cache, which ignores the size setting.</source>
        <translation>캐시를 직접 만들고 크기 설정은 무시합니다.</translation>
    </message>
    <message>
        <source>Dequantized to float32: MLX&apos;s CPU backend is slow with quantized weights.</source>
        <translation>float32로 역양자화했습니다. MLX의 CPU 백엔드는 양자화된 가중치를 느리게 계산합니다.</translation>
    </message>
    <message>
        <source>Scales converted to float32, which is faster on MLX&apos;s CPU backend.</source>
        <translation>스케일을 float32로 변환했습니다. MLX의 CPU 백엔드에서 더 빠릅니다.</translation>
    </message>
    <message>
        <source>Converted to float32, which is fastest on MLX&apos;s CPU backend.</source>
        <translation>float32로 올렸습니다. MLX의 CPU 백엔드에서는 이것이 가장 빠릅니다.</translation>
    </message>
    <message>
        <source>The model did not fit into memory.</source>
        <translation>모델이 메모리에 다 들어가지 않았습니다.</translation>
    </message>
    <message>
        <source>mlx-lm cannot open models of the type “{type}”.</source>
        <translation>mlx-lm은 “{type}” 유형의 모델을 열 수 없습니다.</translation>
    </message>
    <message>
        <source>Choose a model of a type that mlx-lm supports.</source>
        <translation>mlx-lm이 지원하는 유형의 모델을 선택하세요.</translation>
    </message>
    <message>
        <source>Some of the model&apos;s weights are missing.</source>
        <translation>모델의 가중치 일부가 없습니다.</translation>
    </message>
    <message>
        <source>The weights do not fit the model that config.json describes.</source>
        <translation>가중치가 config.json에 적힌 모델과 맞지 않습니다.</translation>
    </message>
    <message>
        <source>The weights file could not be read.</source>
        <translation>가중치 파일을 읽지 못했습니다.</translation>
    </message>
    <message>
        <source>mlx-lm can&apos;t create the model that config.json describes.</source>
        <translation>config.json에 적힌 모델은 만들 수 없습니다.</translation>
    </message>
    <message>
        <source>The model&apos;s tokenizer could not be opened.</source>
        <translation>모델의 토크나이저를 열지 못했습니다.</translation>
    </message>
    <message>
        <source>The model could not be opened.</source>
        <translation>모델을 열지 못했습니다.</translation>
    </message>
    <message>
        <source>Lower the max tokens, shorten the conversation, or open a smaller model.</source>
        <translation>최대 토큰을 낮추거나, 대화를 줄이거나, 더 작은 모델을 여세요.</translation>
    </message>
    <message>
        <source>The device ran out of memory.</source>
        <translation>장치의 메모리가 부족합니다.</translation>
    </message>
    <message>
        <source>The model failed while generating.</source>
        <translation>생성 중에 모델에서 오류가 났습니다.</translation>
    </message>
    <message>
        <source>Try again; if it happens again, reload the model.</source>
        <translation>다시 시도하고, 또 같은 일이 생기면 모델을 다시 불러오세요.</translation>
    </message>
    <message>
        <source>Shorten the prompt.</source>
        <translation>프롬프트를 줄이세요.</translation>
    </message>
    <message>
        <source>The model failed at this prompt.</source>
        <translation>이 프롬프트에서 모델에 오류가 났습니다.</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller or more strongly quantized model.</source>
        <translation>다른 프로그램을 닫거나, 더 작거나 더 강하게 양자화된 모델을 선택하세요.</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>토크나이저</translation>
    </message>
    <message>
        <source>first pass</source>
        <translation>첫 계산</translation>
    </message>
    <message>
        <source>The model name is missing.</source>
        <translation>모델 이름이 없습니다.</translation>
    </message>
    <message>
        <source>Choose a model folder or an id in the Hugging Face cache.</source>
        <translation>모델 폴더나 Hugging Face 캐시에 있는 ID를 선택하세요.</translation>
    </message>
    <message>
        <source>“{name}” is a file, and a model is a folder.</source>
        <translation>“{name}”은(는) 파일입니다. 모델은 폴더여야 합니다.</translation>
    </message>
    <message>
        <source>Choose its folder: {folder}</source>
        <translation>이 파일이 들어 있는 폴더를 선택하세요: {folder}</translation>
    </message>
    <message>
        <source>There is no folder “{name}”.</source>
        <translation>“{name}” 폴더가 없습니다.</translation>
    </message>
    <message>
        <source>Check the path, or choose the model again.</source>
        <translation>경로를 확인하거나 모델을 다시 선택하세요.</translation>
    </message>
    <message>
        <source>“{name}” is neither a folder nor a model in the Hugging Face cache.</source>
        <translation>“{name}”은(는) 폴더도, Hugging Face 캐시에 있는 모델도 아닙니다.</translation>
    </message>
    <message>
        <source>Download it first, or choose a folder.</source>
        <translation>먼저 다운로드하거나 폴더를 선택하세요.</translation>
    </message>
    <message>
        <source>The model computes NaN in {dtype}.</source>
        <translation>이 모델은 {dtype}에서 NaN을 계산합니다.</translation>
    </message>
    <message>
        <source>Choose another dtype.</source>
        <translation>다른 dtype을 고르세요.</translation>
    </message>
    <message>
        <source>The model computes NaN: its weights are damaged.</source>
        <translation>모델이 숫자를 계산하지 못합니다. 가중치가 손상되었습니다.</translation>
    </message>
    <message>
        <source>The model was loaded, but it can&apos;t run.</source>
        <translation>모델은 열렸지만 실행되지 않습니다.</translation>
    </message>
    <message>
        <source>generation without a KV cache reuses nothing</source>
        <translation>KV 캐시 없이 생성하면 재사용되는 것이 없습니다</translation>
    </message>
    <message>
        <source>Try again, or reload the model.</source>
        <translation>다시 시도하거나 모델을 다시 불러오세요.</translation>
    </message>
    <message>
        <source>The model stopped without a finish reason.</source>
        <translation>모델이 종료 이유 없이 멈췄습니다.</translation>
    </message>
    <message>
        <source>The draft model&apos;s KV cache can&apos;t be trimmed.</source>
        <translation>드래프트 모델의 KV 캐시를 잘라 낼 수 없습니다.</translation>
    </message>
    <message>
        <source>The two models have vocabularies of different sizes: {main} and {draft} tokens.</source>
        <translation>두 모델의 어휘 크기가 다릅니다. 각각 토큰 {main}개와 {draft}개입니다.</translation>
    </message>
    <message>
        <source>The two models tokenize the same text differently.</source>
        <translation>두 모델의 토크나이저가 같은 글을 서로 다른 토큰으로 나눕니다.</translation>
    </message>
    <message>
        <source>The prompt contains half of a surrogate pair, which is not a character.</source>
        <translation>프롬프트에 서로게이트 쌍의 반쪽이 있는데, 이것은 글자가 아닙니다.</translation>
    </message>
    <message>
        <source>Type this character again: it was cut when it was copied.</source>
        <translation>복사할 때 잘린 것이니 그 자리를 다시 입력하세요.</translation>
    </message>
    <message>
        <source>The tokenizer can&apos;t read this prompt.</source>
        <translation>토크나이저가 이 프롬프트를 읽지 못합니다.</translation>
    </message>
    <message>
        <source>Try another text or model.</source>
        <translation>다른 텍스트나 모델로 시도하세요.</translation>
    </message>
    <message>
        <source>The text already begins with the BOS token, so none was added.</source>
        <translation>텍스트가 이미 BOS 토큰으로 시작하므로 따로 붙이지 않았습니다.</translation>
    </message>
    <message>
        <source>Switch Mode to Raw, and write the complete prompt yourself.</source>
        <translation>모드를 Raw로 바꾸고 글 전체를 직접 쓰세요.</translation>
    </message>
    <message>
        <source>The tokenizer removes all of this text.</source>
        <translation>토크나이저를 거치면 이 텍스트에 남는 것이 없습니다.</translation>
    </message>
    <message>
        <source>Type something else.</source>
        <translation>다른 내용을 입력하세요.</translation>
    </message>
    <message>
        <source>It runs on {host}; all times are measured here.</source>
        <translation>{host}에서 실행되며, 모든 시간은 이 컴퓨터에서 잽니다.</translation>
    </message>
    <message>
        <source>A server chooses its draft model itself.</source>
        <translation>드래프트 모델은 서버가 직접 고릅니다.</translation>
    </message>
    <message>
        <source>The server tokenizes the prompt itself.</source>
        <translation>프롬프트의 토큰은 서버가 직접 만듭니다.</translation>
    </message>
    <message>
        <source>The server doesn&apos;t report how it tokenizes text.</source>
        <translation>서버는 텍스트를 토큰으로 어떻게 나누는지 알려 주지 않습니다.</translation>
    </message>
    <message>
        <source>Open the model on this computer for that.</source>
        <translation>그러려면 이 컴퓨터에서 모델을 여세요.</translation>
    </message>
    <message>
        <source>A server takes text, but this prompt continues from the tokens of another run.</source>
        <translation>서버는 텍스트를 받는데, 이것은 다른 실행의 토큰에서 이어집니다.</translation>
    </message>
    <message>
        <source>Send it again, or open the model on this computer.</source>
        <translation>새로 보내거나, 이 컴퓨터에서 모델을 여세요.</translation>
    </message>
    <message>
        <source>A server doesn&apos;t accept a reply prefix.</source>
        <translation>서버는 답변 접두어를 받지 않습니다.</translation>
    </message>
    <message>
        <source>Change the tools, or remove them.</source>
        <translation>도구를 고치거나 지우세요.</translation>
    </message>
    <message>
        <source>A server uses its own EOS tokens; stop tokens can&apos;t be added.</source>
        <translation>서버는 자체 종료 토큰에서 끝나므로, 다른 종료 토큰을 지정할 수 없습니다.</translation>
    </message>
    <message>
        <source>Remove the tools if it supports none, or change the setting that it names.</source>
        <translation>서버가 도구를 받지 않으면 도구를 빼고, 아니면 서버가 말한 설정을 바꾸세요.</translation>
    </message>
    <message>
        <source>The server applies its own chat template and doesn&apos;t report the tokens.</source>
        <translation>서버가 이 메시지들을 자체 채팅 템플릿에 넣으며, 토큰은 알려 주지 않습니다.</translation>
    </message>
    <message>
        <source>The server sends alternatives only without streaming, so the answer came in one piece.</source>
        <translation>서버는 답변 전체와 함께일 때만 후보를 알려 주므로, 답변이 한 번에 왔습니다.</translation>
    </message>
    <message numerus="yes">
        <source>The server sends at most %n alternatives.</source>
        <comment>The server sends at most %n alternative.</comment>
        <translation>
            <numerusform>서버는 후보를 최대 %n개까지 알려 줍니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The server doesn&apos;t report its choice, so alternatives are recorded only at temperature 0.</source>
        <translation>서버가 어느 후보를 골랐는지 알려 주지 않으므로, 후보는 온도 0에서만 기록됩니다.</translation>
    </message>
    <message>
        <source>No server supports this.</source>
        <translation>이 설정을 받는 서버는 없습니다.</translation>
    </message>
    <message>
        <source>Only llama.cpp&apos;s server supports this.</source>
        <translation>llama.cpp 서버만 지원합니다.</translation>
    </message>
    <message>
        <source>The model runs on a server, whose KV cache can&apos;t be controlled.</source>
        <translation>모델이 서버에서 실행되므로 그 캐시에는 접근할 수 없습니다.</translation>
    </message>
    <message>
        <source>A server doesn&apos;t let its clients choose prompt lookup.</source>
        <translation>서버에서는 클라이언트가 prompt lookup을 선택할 수 없습니다.</translation>
    </message>
    <message>
        <source>A server exchanges text, not token ids.</source>
        <translation>서버는 토큰이 아니라 텍스트를 주고받습니다.</translation>
    </message>
    <message>
        <source>A server can&apos;t insert tokens into its answers.</source>
        <translation>서버는 답에 토큰을 넣어 주지 않습니다.</translation>
    </message>
    <message>
        <source>A server doesn&apos;t report its memory use.</source>
        <translation>서버는 메모리를 얼마나 쓰는지 알려 주지 않습니다.</translation>
    </message>
    <message>
        <source>This server sends no alternatives.</source>
        <translation>이 서버는 후보를 알려 주지 않습니다.</translation>
    </message>
    <message>
        <source>This server refuses this setting.</source>
        <translation>이 서버는 이 설정을 거부합니다.</translation>
    </message>
    <message>
        <source>mlx_lm.server runs seeded requests one after another, so no seed is sent.</source>
        <translation>mlx_lm.server는 시드가 있는 요청을 하나씩 처리하므로, 시드를 주지 않습니다.</translation>
    </message>
    <message>
        <source>“{name}” is not a model on a server.</source>
        <translation>“{name}”은(는) 서버에 있는 모델이 아닙니다.</translation>
    </message>
    <message>
        <source>Choose one that is listed.</source>
        <translation>목록에 있는 것을 고르세요.</translation>
    </message>
    <message>
        <source>Open the model without one.</source>
        <translation>드래프트 모델 없이 모델을 여세요.</translation>
    </message>
    <message>
        <source>A server can&apos;t load an adapter of this computer.</source>
        <translation>서버는 이 컴퓨터의 어댑터를 불러올 수 없습니다.</translation>
    </message>
    <message>
        <source>waiting for {host}</source>
        <translation>{host}의 응답을 기다리는 중</translation>
    </message>
    <message>
        <source>Send it unchanged.</source>
        <translation>그대로 보내세요.</translation>
    </message>
    <message>
        <source>Clear it, or use raw mode.</source>
        <translation>지우거나, Raw 모드를 쓰세요.</translation>
    </message>
    <message>
        <source>Remove them, or use stop strings.</source>
        <translation>빼거나, 중지 문자열을 쓰세요.</translation>
    </message>
    <message>
        <source>Switch to raw mode.</source>
        <translation>Raw 모드로 바꾸세요.</translation>
    </message>
    <message>
        <source>Switch to chat mode.</source>
        <translation>채팅 모드로 바꾸세요.</translation>
    </message>
    <message>
        <source>The template doesn&apos;t work without tools, so an empty list of tools was passed.</source>
        <translation>템플릿이 도구 없이는 작동하지 않아서 빈 도구 목록을 주었습니다.</translation>
    </message>
    <message>
        <source>This template doesn&apos;t support this system message: it became part of a user turn.</source>
        <translation>이 템플릿은 이런 시스템 메시지를 받지 않아서 사용자 차례의 일부로 넣었습니다.</translation>
    </message>
    <message>
        <source>This template requires alternating roles: adjacent turns of one role were merged.</source>
        <translation>이 템플릿은 사용자와 모델이 번갈아 나오기를 요구하므로, 한쪽의 잇따른 차례를 하나로 합쳤습니다.</translation>
    </message>
    <message>
        <source>The template doesn&apos;t read “{name}”: it was left out.</source>
        <translation>템플릿이 “{name}” 인수를 받지 않아서 뺐습니다.</translation>
    </message>
    <message>
        <source>The template leaves out a system message: “{start}”.</source>
        <translation>템플릿이 시스템 메시지를 빠뜨립니다: “{start}”.</translation>
    </message>
    <message>
        <source>The template leaves out a user turn: “{start}”.</source>
        <translation>템플릿이 사용자 차례를 빠뜨립니다: “{start}”.</translation>
    </message>
    <message>
        <source>The template leaves out a turn of the model: “{start}”.</source>
        <translation>템플릿이 모델 차례를 빠뜨립니다: “{start}”.</translation>
    </message>
    <message>
        <source>This model&apos;s chat template requires the first turn to be a user turn.</source>
        <translation>이 모델의 채팅 템플릿에서는 대화가 사용자 차례로 시작해야 합니다.</translation>
    </message>
    <message>
        <source>Put a user turn first, or switch Mode to Raw.</source>
        <translation>사용자 차례를 맨 앞에 두거나 모드를 Raw로 바꾸세요.</translation>
    </message>
    <message>
        <source>This model&apos;s chat template has an error and can&apos;t be used.</source>
        <translation>이 모델의 채팅 템플릿에 오류가 있어 쓸 수 없습니다.</translation>
    </message>
    <message>
        <source>Switch Mode to Raw, or use another copy of the model.</source>
        <translation>모드를 Raw로 바꾸거나 다른 경로에서 받은 모델을 쓰세요.</translation>
    </message>
    <message>
        <source>This model&apos;s chat template takes too long, so it was stopped.</source>
        <translation>이 모델의 채팅 템플릿이 끝나지 않아 중단했습니다.</translation>
    </message>
    <message>
        <source>This model&apos;s chat template accesses forbidden objects, so it was stopped.</source>
        <translation>이 모델의 채팅 템플릿이 템플릿에 필요하지 않은 것을 쓰려고 해서 중단했습니다.</translation>
    </message>
    <message>
        <source>This model&apos;s chat template refuses this conversation.</source>
        <translation>이 모델의 채팅 템플릿이 이 대화를 거부합니다.</translation>
    </message>
    <message>
        <source>Change the turns as the details say, or switch Mode to Raw.</source>
        <translation>자세한 내용에 따라 차례를 고치거나 모드를 Raw로 바꾸세요.</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>정지</translation>
    </message>
    <message>
        <source>length</source>
        <translation>길이</translation>
    </message>
    <message>
        <source>stop string</source>
        <translation>중지 문자열</translation>
    </message>
    <message>
        <source>stopped by you</source>
        <translation>사용자가 중지</translation>
    </message>
    <message>
        <source>context full</source>
        <translation>컨텍스트 가득 참</translation>
    </message>
    <message>
        <source>error</source>
        <translation>오류</translation>
    </message>
    <message>
        <source>The conversation has no prompt.</source>
        <translation>대화에 질문이 없습니다.</translation>
    </message>
    <message>
        <source>A prompt of token ids has no text that could be sent again.</source>
        <translation>토큰만 있는 프롬프트에는 다시 물을 글이 없습니다.</translation>
    </message>
    <message>
        <source>Choose a run with a prompt of text.</source>
        <translation>프롬프트가 글로 된 실행을 선택하세요.</translation>
    </message>
    <message>
        <source>A command can&apos;t contain a prompt of token ids: put your own text into --prompt.</source>
        <translation>프롬프트가 토큰으로만 되어 있어 명령에 적을 수 없습니다. --prompt에 직접 넣으세요.</translation>
    </message>
    <message>
        <source>The command sends only the last question, without earlier turns and the system prompt.</source>
        <translation>명령은 앞의 차례와 시스템 프롬프트 없이 마지막 질문만 묻습니다.</translation>
    </message>
    <message>
        <source>The command omits the reply prefix and the template arguments.</source>
        <translation>명령은 답변 첫머리와 템플릿 인수를 뺍니다.</translation>
    </message>
    <message>
        <source>The command omits logit biases and stop tokens.</source>
        <translation>명령은 로짓 편향과 종료 토큰 ID를 뺍니다.</translation>
    </message>
    <message>
        <source>The command omits control characters, which a terminal interprets as keys.</source>
        <translation>이 명령에서는 터미널이 키 입력으로 받아들이는 제어 문자가 빠집니다.</translation>
    </message>
    <message>
        <source>Experiment: {title}</source>
        <translation>실험: {title}</translation>
    </message>
    <message>
        <source>Speed at token {place}</source>
        <translation>토큰 {place}에서의 속도</translation>
    </message>
    <message>
        <source>This model can&apos;t run without its KV cache.</source>
        <translation>이 모델은 캐시 없이 실행할 수 없습니다.</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>다른 모델을 선택하세요.</translation>
    </message>
    <message>
        <source>with the cache</source>
        <translation>캐시 사용</translation>
    </message>
    <message numerus="yes">
        <source>over the last %n tokens</source>
        <comment>over the last %n token</comment>
        <translation>
            <numerusform>마지막 토큰 %n개에서</numerusform>
        </translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>이득</translation>
    </message>
    <message>
        <source>to measure how the gain grows, set max tokens above {place}</source>
        <translation>이득이 어떻게 커지는지 재려면 최대 토큰을 {place}보다 크게 하세요</translation>
    </message>
    <message>
        <source>with the cache the model is {speed} {where}</source>
        <translation>캐시를 쓰면 {where} {speed}입니다</translation>
    </message>
    <message>
        <source>{level} {where}</source>
        <translation>{where} {level}</translation>
    </message>
    <message>
        <source>How much faster is decoding with a KV cache, and how does the gain grow with the length?</source>
        <translation>읽은 내용의 키와 값을 담아 두면 모델이 얼마나 빨라지고, 그 차이는 어떻게 커지나요?</translation>
    </message>
    <message>
        <source>At token</source>
        <translation>토큰 위치</translation>
    </message>
    <message>
        <source>Times as fast</source>
        <translation>속도(배)</translation>
    </message>
    <message>
        <source>At least</source>
        <translation>최소</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>최대</translation>
    </message>
    <message>
        <source>How much faster is decoding with a KV cache?</source>
        <translation>KV 캐시로 무엇을 얻나요?</translation>
    </message>
    <message>
        <source>There is no draft model, and this model can&apos;t use prompt lookup.</source>
        <translation>드래프트 모델이 없고, 이 모델은 prompt lookup을 쓸 수 없습니다.</translation>
    </message>
    <message>
        <source>Choose a draft model that belongs to this model.</source>
        <translation>이 모델에 맞는 드래프트 모델을 선택하세요.</translation>
    </message>
    <message>
        <source>off</source>
        <translation>꺼짐</translation>
    </message>
    <message numerus="yes">
        <source>%n draft tokens per step</source>
        <comment>%n draft token per step</comment>
        <translation>
            <numerusform>단계당 드래프트 토큰 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>automatic draft tokens</source>
        <translation>자동 드래프트 토큰 수</translation>
    </message>
    <message>
        <source>prompt lookup</source>
        <translation>prompt lookup</translation>
    </message>
    <message>
        <source>Text, with rejected tokens in ⟨brackets⟩</source>
        <translation>글(거절된 것은 ⟨괄호⟩ 안에 표시)</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>글</translation>
    </message>
    <message>
        <source>yes: {speed} with {variant}</source>
        <translation>예. {variant}에서 {speed}입니다</translation>
    </message>
    <message>
        <source>no: {speed} with {variant}</source>
        <translation>아니요. {variant}에서 {speed}입니다</translation>
    </message>
    <message>
        <source>acceptance rate {share} ({accepted} of {proposed} draft tokens in a run), {tokens} tokens per step</source>
        <translation>수락률 {share}(실행 한 번의 드래프트 토큰 {proposed}개 중 {accepted}개), 단계당 토큰 {tokens}개</translation>
    </message>
    <message>
        <source>the draft model takes {size} of memory</source>
        <translation>드래프트 모델이 메모리를 {size} 씁니다</translation>
    </message>
    <message>
        <source>Is speculative decoding worth it?</source>
        <translation>추측 디코딩은 쓸 만한가요?</translation>
    </message>
    <message>
        <source>Is this model faster with a draft model or prompt lookup, and with how many draft tokens per step?</source>
        <translation>드래프트 모델이나 prompt lookup을 쓰면 이 모델이 빨라지나요? 단계마다 드래프트 토큰을 몇 개씩 제안하는 것이 좋은가요?</translation>
    </message>
    <message>
        <source>the speed is end to end, from Send to the last token</source>
        <translation>속도는 보내기부터 마지막 토큰까지의 전체 속도</translation>
    </message>
    <message>
        <source>no: not one draft token was accepted, so this answer can&apos;t become faster</source>
        <translation>아니요. 수락된 드래프트 토큰이 하나도 없으므로 이 답변은 빨라질 수 없습니다</translation>
    </message>
    <message>
        <source>end-to-end speed</source>
        <translation>전체 속도</translation>
    </message>
    <message>
        <source>{level} with {variant}, the fastest draft</source>
        <translation>가장 빠른 드래프트인 {variant}에서 {level}</translation>
    </message>
    <message>
        <source>{speed}, the fastest draft. Turn it off.</source>
        <translation>{speed}. 가장 빠른 드래프트인데도 그러니 끄세요.</translation>
    </message>
    <message>
        <source>position {number}</source>
        <translation>{number}번째</translation>
    </message>
    <message>
        <source>No second model is selected.</source>
        <translation>두 번째 모델이 없습니다.</translation>
    </message>
    <message>
        <source>Choose a model to compare with this one.</source>
        <translation>비교할 모델을 선택하세요.</translation>
    </message>
    <message>
        <source>{level} between {first} and {second}</source>
        <translation>{first} 모델과 {second} 모델 사이에는 {level}</translation>
    </message>
    <message>
        <source>the faster model is {arm}: {speed}</source>
        <translation>더 빠른 모델은 {arm}: {speed}입니다</translation>
    </message>
    <message>
        <source>peak memory was {more} with {second}, {less} with {first}</source>
        <translation>메모리는 {second} 모델이 최대 {more}, {first} 모델이 최대 {less} 썼습니다</translation>
    </message>
    <message>
        <source>{model} on {server}</source>
        <translation>{server}의 {model}</translation>
    </message>
    <message>
        <source>Which of two models?</source>
        <translation>두 모델 중 어느 쪽이 나은가요?</translation>
    </message>
    <message>
        <source>How do two models answer the same prompt, how fast, and in how much memory?</source>
        <translation>두 모델은 같은 프롬프트에 어떻게, 얼마나 빨리, 메모리를 얼마나 써서 답하나요?</translation>
    </message>
    <message>
        <source>This model has no chat template, so it has no turns.</source>
        <translation>이 모델에는 채팅 템플릿이 없어서 차례도 없습니다.</translation>
    </message>
    <message>
        <source>Choose a chat model.</source>
        <translation>채팅 모델을 선택하세요.</translation>
    </message>
    <message>
        <source>reuse off</source>
        <translation>재사용 끔</translation>
    </message>
    <message>
        <source>reuse on</source>
        <translation>재사용 켬</translation>
    </message>
    <message>
        <source>the time to first token</source>
        <translation>첫 토큰까지의 시간</translation>
    </message>
    <message>
        <source>{on} with reuse, {off} without it</source>
        <translation>재사용하면 {on}, 하지 않으면 {off}</translation>
    </message>
    <message>
        <source>with reuse the time to first token is {share} longer</source>
        <translation>재사용하면 첫 토큰까지 {share} 더 오래 걸립니다</translation>
    </message>
    <message>
        <source>the prompt cache saves {share} of the time to first token in turn 2</source>
        <translation>프롬프트 캐시가 두 번째 턴에서 첫 토큰까지의 시간을 {share} 줄입니다</translation>
    </message>
    <message>
        <source>{reused} of {all} prompt tokens were in the cache</source>
        <translation>프롬프트 토큰 {all}개 가운데 {reused}개가 캐시에 있었습니다</translation>
    </message>
    <message>
        <source>How much shorter is the time to first token if the conversation so far is in the KV cache?</source>
        <translation>지금까지의 대화를 다시 읽지 않으면 답변이 얼마나 더 빨리 시작되나요?</translation>
    </message>
    <message>
        <source>How much time does the prompt cache save in turn 2?</source>
        <translation>두 번째 차례에서 캐시는 얼마나 도움이 되나요?</translation>
    </message>
    <message>
        <source>{count} combinations exceed the limit.</source>
        <translation>조합 {count}개는 너무 많습니다.</translation>
    </message>
    <message>
        <source>No setting has several values.</source>
        <translation>바꾸는 설정이 없습니다.</translation>
    </message>
    <message>
        <source>Vary one setting or more, in at most {most} combinations.</source>
        <translation>설정을 하나 이상 바꾸되, 조합이 {most}개를 넘지 않게 하세요.</translation>
    </message>
    <message>
        <source>{level} between the slowest, {slow}, and the fastest, {fast}</source>
        <translation>가장 느린 갈래({slow})와 가장 빠른 갈래({fast}) 사이에는 {level}</translation>
    </message>
    <message>
        <source>{arm} is {speed}</source>
        <translation>{arm}: {speed}입니다</translation>
    </message>
    <message>
        <source>Which temperature or other setting?</source>
        <translation>어떤 온도, 또는 어떤 설정이 좋을까요?</translation>
    </message>
    <message>
        <source>How do these settings change speed, memory and text?</source>
        <translation>이 설정들로 무엇이 달라지나요?</translation>
    </message>
    <message>
        <source>This model has no chat template.</source>
        <translation>이 모델에는 채팅 템플릿이 없습니다.</translation>
    </message>
    <message>
        <source>with the template</source>
        <translation>템플릿 사용</translation>
    </message>
    <message>
        <source>without it</source>
        <translation>템플릿 없이</translation>
    </message>
    <message>
        <source>with the template it {ended}</source>
        <translation>템플릿을 쓰면 {ended}</translation>
    </message>
    <message>
        <source>without it {ended}</source>
        <translation>템플릿이 없으면 {ended}</translation>
    </message>
    <message>
        <source>Prompts as sent</source>
        <translation>보낸 그대로의 프롬프트</translation>
    </message>
    <message>
        <source>{reply}: without the template {count} of {all} answers ended by themselves, with it {other} of {both}</source>
        <translation>{reply}. 템플릿이 없으면 답변 {all}개 중 {count}개가, 있으면 {both}개 중 {other}개가 스스로 끝났습니다</translation>
    </message>
    <message>
        <source>in some runs</source>
        <translation>일부만</translation>
    </message>
    <message numerus="yes">
        <source>ended at an EOS token after {few}%n tokens</source>
        <comment>ended at an EOS token after {few}%n token</comment>
        <translation>
            <numerusform>토큰 {few}%n개 뒤에 스스로 끝났습니다</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>reached the limit of {few}%n tokens</source>
        <comment>reached the limit of {few}%n token</comment>
        <translation>
            <numerusform>토큰 {few}%n개 제한까지 계속되었습니다</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>filled the context window after {few}%n tokens</source>
        <comment>filled the context window after {few}%n token</comment>
        <translation>
            <numerusform>컨텍스트가 가득 찰 때까지 계속되었습니다(토큰 {few}%n개)</numerusform>
        </translation>
    </message>
    <message>
        <source>How does the chat template change the answer?</source>
        <translation>채팅 템플릿은 무슨 일을 하나요?</translation>
    </message>
    <message>
        <source>Does the model still end its answer without the chat template of its training?</source>
        <translation>학습할 때 쓴 템플릿에 넣지 않아도 모델은 어디에서 끝내야 할지 아나요?</translation>
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation>측정한 것이 없습니다.</translation>
    </message>
    <message>
        <source>a difference in {what} of less than 3 %</source>
        <translation>{what}에 3 % 미만의 차이</translation>
    </message>
    <message numerus="yes">
        <source>{range}: provisional; %n more can confirm it</source>
        <comment>{range}: provisional; %n more can confirm it</comment>
        <translation>
            <numerusform>{range}: 잠정 결과, %n회 더 실행하면 확인 가능</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing can be compared: no round has this value for both variants.</source>
        <translation>견줄 수 없습니다. 두 갈래 모두 견줄 값이 있는 회차가 없습니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n bytes</source>
        <comment>%n byte</comment>
        <translation>
            <numerusform>%n바이트</numerusform>
        </translation>
    </message>
    <message>
        <source>{clause}; {next}</source>
        <translation>{clause}. {next}</translation>
    </message>
    <message>
        <source>{clause}, {next}</source>
        <translation>{clause}. {next}</translation>
    </message>
    <message>
        <source>The download could not be started.</source>
        <translation>다운로드를 시작하지 못했습니다.</translation>
    </message>
    <message>
        <source>The download process ended without a message.</source>
        <translation>다운로드 프로세스가 아무 메시지 없이 끝났습니다.</translation>
    </message>
    <message>
        <source>Resume the download; the downloaded part is still there.</source>
        <translation>이어서 받으세요. 이미 받은 부분은 남아 있습니다.</translation>
    </message>
    <message>
        <source>Its vocabulary has {own}, the model&apos;s has {other}.</source>
        <translation>이 모델의 어휘는 {own}, 본 모델의 어휘는 {other}입니다.</translation>
    </message>
    <message>
        <source>Its KV cache can&apos;t be trimmed.</source>
        <translation>이 모델의 캐시는 토큰 단위로 되감을 수 없습니다.</translation>
    </message>
    <message>
        <source>Its tokenizer has other tokens.</source>
        <translation>토크나이저가 글을 다른 토큰으로 나눕니다.</translation>
    </message>
    <message>
        <source>It is not smaller than the model, so it would slow it down.</source>
        <translation>본 모델보다 작지 않아 오히려 느려집니다.</translation>
    </message>
    <message>
        <source>an unknown number of tokens</source>
        <translation>토큰 수 알 수 없음</translation>
    </message>
    <message>
        <source>Offline mode is on (HF_HUB_OFFLINE), so Sluice sends no requests to the hub.</source>
        <translation>오프라인 모드(HF_HUB_OFFLINE)가 켜져 있어 허브에 묻지 않습니다.</translation>
    </message>
    <message>
        <source>To search and download, start Sluice without HF_HUB_OFFLINE.</source>
        <translation>검색하고 내려받으려면 오프라인 모드 없이 Sluice를 시작하세요.</translation>
    </message>
    <message>
        <source>The hub has no model “{name}”, or it is private.</source>
        <translation>허브에 “{name}” 모델이 없거나 비공개입니다.</translation>
    </message>
    <message>
        <source>Try again later; models on this computer still work.</source>
        <translation>나중에 다시 시도하세요. 이 컴퓨터에 있는 모델은 그대로 쓸 수 있습니다.</translation>
    </message>
    <message>
        <source>“{name}” is gated: it needs a login and accepted terms.</source>
        <translation>“{name}” 모델은 승인이 필요합니다. 소유자가 먼저 로그인과 동의를 요구합니다.</translation>
    </message>
    <message>
        <source>Accept the terms on its page on the hub, then enter a token.</source>
        <translation>허브의 모델 페이지에서 약관에 동의한 뒤 토큰을 입력하세요.</translation>
    </message>
    <message>
        <source>Check the name, or enter a token with access.</source>
        <translation>이름을 확인하거나, 볼 권한이 있는 토큰을 입력하세요.</translation>
    </message>
    <message>
        <source>The hub did not answer in time.</source>
        <translation>허브가 제때 응답하지 않았습니다.</translation>
    </message>
    <message>
        <source>The connection to the hub keeps breaking.</source>
        <translation>허브와의 연결이 계속 끊깁니다.</translation>
    </message>
    <message>
        <source>The hub can&apos;t be reached.</source>
        <translation>허브에 연결할 수 없습니다.</translation>
    </message>
    <message>
        <source>Check the connection. {later}</source>
        <translation>연결을 확인하세요. {later}</translation>
    </message>
    <message>
        <source>The hub&apos;s answer has an unknown format.</source>
        <translation>허브의 응답을 이해할 수 없습니다.</translation>
    </message>
    <message>
        <source>Free disk space, then resume; the downloaded part is still there.</source>
        <translation>공간을 비운 뒤 이어서 받으세요. 이미 받은 부분은 남아 있습니다.</translation>
    </message>
    <message>
        <source>Check your write permission, then resume.</source>
        <translation>쓰기 권한을 확인한 뒤 이어서 받으세요.</translation>
    </message>
    <message>
        <source>The hub has a rate limit and refuses more requests for now.</source>
        <translation>허브에 요청이 너무 많습니다.</translation>
    </message>
    <message>
        <source>This login has no access to “{name}”.</source>
        <translation>이 로그인으로는 허브의 “{name}” 모델을 볼 수 없습니다.</translation>
    </message>
    <message>
        <source>Enter another token.</source>
        <translation>다른 토큰을 입력하세요.</translation>
    </message>
    <message>
        <source>The hub reports an internal error (HTTP {status}).</source>
        <translation>허브에 문제가 있습니다(HTTP {status}).</translation>
    </message>
    <message>
        <source>Log in to the hub again, or enter another token.</source>
        <translation>다시 로그인하거나 다른 토큰을 입력하세요.</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>디스크가 가득 찼습니다.</translation>
    </message>
    <message>
        <source>The Hugging Face cache could not be written to ({why}).</source>
        <translation>Hugging Face 캐시에 쓰지 못했습니다({why}).</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>잠시 뒤에 다시 시도하세요.</translation>
    </message>
    <message numerus="yes">
        <source>Try again in %n seconds.</source>
        <comment>Try again in %n second.</comment>
        <translation>
            <numerusform>%n초 뒤에 다시 시도하세요.</numerusform>
        </translation>
    </message>
    <message>
        <source>The hub did not accept the token.</source>
        <translation>허브가 토큰을 받아들이지 않았습니다.</translation>
    </message>
    <message>
        <source>The hub has no “{name}”.</source>
        <translation>허브에 “{name}” 항목이 없습니다.</translation>
    </message>
    <message>
        <source>“{name}” isn&apos;t the id of a dataset, which is AUTHOR/NAME.</source>
        <translation>“{name}”은(는) 데이터셋 id가 아닙니다. 형식은 AUTHOR/NAME입니다.</translation>
    </message>
    <message>
        <source>Check the name.</source>
        <translation>이름을 확인하세요.</translation>
    </message>
    <message>
        <source>The hub has no dataset “{name}”, or it is private.</source>
        <translation>허브에 데이터셋 “{name}”이(가) 없거나 비공개입니다.</translation>
    </message>
    <message>
        <source>The checksum of {name} was wrong {tries} times.</source>
        <translation>{name}의 체크섬이 {tries}번 틀렸습니다.</translation>
    </message>
    <message>
        <source>“{name}” has no weights that mlx-lm reads (model*.safetensors).</source>
        <translation>“{name}” 모델에는 mlx-lm이 읽는 가중치(model*.safetensors)가 없습니다.</translation>
    </message>
    <message>
        <source>The download needs {missing} GB, and the disk has {free} GB free.</source>
        <translation>더 받을 파일은 {missing} GB인데 디스크에는 {free} GB만 비어 있습니다.</translation>
    </message>
    <message>
        <source>The download was interrupted.</source>
        <translation>다운로드가 끊겼습니다.</translation>
    </message>
    <message>
        <source>Another program is downloading {name}.</source>
        <translation>다른 프로그램이 {name} 파일을 내려받고 있습니다.</translation>
    </message>
    <message>
        <source>It needs about {total} of the {limit} that this device allows.</source>
        <translation>이 장치에서 쓸 수 있는 {limit} 중 약 {total}가 필요합니다.</translation>
    </message>
    <message>
        <source>It needs about {total} of the {limit} that this device allows. Close other programs, or use a short context.</source>
        <translation>이 장치에서 쓸 수 있는 {limit} 중 약 {total}가 필요합니다. 다른 프로그램을 닫거나 컨텍스트를 짧게 유지하세요.</translation>
    </message>
    <message>
        <source>It needs about {total} of the {limit} that this device allows. If you try anyway, loading may fail, or generation may be slow because of swapping.</source>
        <translation>약 {total}가 필요한데 이 장치에서 쓸 수 있는 메모리는 {limit}입니다. 그래도 열어 볼 수는 있지만, 거절되거나 스왑 메모리 때문에 느려지거나 실패할 수 있습니다.</translation>
    </message>
    <message>
        <source>Compute buffer</source>
        <translation>계산 버퍼</translation>
    </message>
    <message>
        <source>activations, and copies of the KV cache</source>
        <translation>활성값과 KV 캐시 사본</translation>
    </message>
    <message>
        <source>the size of the weight files</source>
        <translation>가중치 파일의 크기</translation>
    </message>
    <message>
        <source>Draft model&apos;s weights</source>
        <translation>드래프트 모델 가중치</translation>
    </message>
    <message>
        <source>Draft model&apos;s KV cache</source>
        <translation>드래프트 모델 KV 캐시</translation>
    </message>
    <message>
        <source>dequantized to float32, which is faster on the CPU</source>
        <translation>CPU에서 더 빠른 float32로 역양자화했을 때</translation>
    </message>
    <message>
        <source>converted to float32, which is faster on the CPU</source>
        <translation>CPU에서 더 빠른 float32로 변환했을 때</translation>
    </message>
    <message>
        <source>the size of the weight files, with scales in float32</source>
        <translation>가중치 파일의 크기, 스케일은 float32</translation>
    </message>
    <message>
        <source>unknown: not in config.json</source>
        <translation>config.json에 나와 있지 않음</translation>
    </message>
    <message>
        <source>none: the model has a small state instead</source>
        <translation>대신 작은 상태만 유지</translation>
    </message>
    <message numerus="yes">
        <source>at %n tokens, {bits} bits</source>
        <comment>at %n token, {bits} bits</comment>
        <translation>
            <numerusform>토큰 %n개, {bits}비트 기준</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at %n tokens, {bits} bits; {windowed} of {layers} layers keep only the last {window}</source>
        <comment>at %n token, {bits} bits; {windowed} of {layers} layers keep only the last {window}</comment>
        <translation>
            <numerusform>토큰 %n개, {bits}비트 기준. 레이어 {layers}개 중 {windowed}개는 마지막 {window}개만 유지</numerusform>
        </translation>
    </message>
    <message>
        <source>It has no weights that mlx-lm reads (model*.safetensors).</source>
        <translation>mlx-lm이 읽는 가중치(model*.safetensors)가 없습니다.</translation>
    </message>
    <message>
        <source>It has no config.json with a model type.</source>
        <translation>모델 유형을 알려 주는 config.json이 없습니다.</translation>
    </message>
    <message>
        <source>Choose another version of the model.</source>
        <translation>이 모델의 다른 버전을 선택하세요.</translation>
    </message>
    <message>
        <source>{why} Trying again in {seconds} s.</source>
        <translation>{why} {seconds}초 뒤에 다시 시도합니다.</translation>
    </message>
    <message>
        <source>Keychain</source>
        <translation>키체인</translation>
    </message>
    <message>
        <source>keyring</source>
        <translation>키링</translation>
    </message>
    <message>
        <source>secret-tool is not installed</source>
        <translation>secret-tool이 설치되어 있지 않습니다</translation>
    </message>
    <message>
        <source>The {keychain} could not be read ({why}).</source>
        <translation>{keychain}을 읽지 못했습니다({why}).</translation>
    </message>
    <message>
        <source>Copy it from the hub again.</source>
        <translation>허브에서 다시 복사하세요.</translation>
    </message>
    <message>
        <source>It is used until Sluice quits.</source>
        <translation>Sluice를 종료할 때까지 쓰입니다.</translation>
    </message>
    <message>
        <source>{program} is missing</source>
        <translation>{program} 프로그램이 없습니다</translation>
    </message>
    <message>
        <source>the D-Bus session bus doesn&apos;t answer</source>
        <translation>응답하는 세션 버스가 없습니다</translation>
    </message>
    <message>
        <source>A token that you enter is used until Sluice quits.</source>
        <translation>입력한 토큰은 Sluice를 종료할 때까지 쓰입니다.</translation>
    </message>
    <message>
        <source>The {keychain} item of Sluice is not a token.</source>
        <translation>{keychain}에 Sluice용으로 저장된 내용은 토큰이 아닙니다.</translation>
    </message>
    <message>
        <source>Press Forget, and enter a token.</source>
        <translation>“잊기”로 지우고 토큰을 입력하세요.</translation>
    </message>
    <message>
        <source>This is not a valid token, so it is not stored.</source>
        <translation>토큰의 형식이 아니어서 저장하지 않습니다.</translation>
    </message>
    <message>
        <source>The {keychain} did not store the token ({why}).</source>
        <translation>{keychain}에 토큰을 저장하지 못했습니다({why}).</translation>
    </message>
    <message>
        <source>The {keychain} has not stored the token.</source>
        <translation>{keychain}에 토큰이 저장되지 않았습니다.</translation>
    </message>
    <message>
        <source>The {keychain} did not delete the token ({why}).</source>
        <translation>{keychain}에서 토큰을 지우지 못했습니다({why}).</translation>
    </message>
    <message>
        <source>Press Forget again, or delete the item “Sluice” in the keychain.</source>
        <translation>“잊기”를 다시 누르거나, 그곳에서 “Sluice” 항목을 삭제하세요.</translation>
    </message>
    <message>
        <source>Sluice: token for the Hugging Face hub</source>
        <translation>Sluice: Hugging Face 허브용 토큰</translation>
    </message>
    <message>
        <source>Sluice: key for {server}</source>
        <translation>Sluice: {server}의 키</translation>
    </message>
    <message>
        <source>no answer within {seconds} seconds</source>
        <translation>{seconds}초 안에 응답 없음</translation>
    </message>
    <message>
        <source>it ended with {code}</source>
        <translation>종료 코드 {code}</translation>
    </message>
    <message>
        <source>Check that you have permission to read it.</source>
        <translation>모두 읽을 권한이 있는지 확인하세요.</translation>
    </message>
    <message>
        <source>Download it again, or delete it.</source>
        <translation>다시 내려받거나 삭제하세요.</translation>
    </message>
    <message>
        <source>The folder “{name}” could not be read.</source>
        <translation>“{name}” 폴더를 읽지 못했습니다.</translation>
    </message>
    <message>
        <source>The Hugging Face cache could not be read.</source>
        <translation>Hugging Face 캐시를 읽지 못했습니다.</translation>
    </message>
    <message>
        <source>Files of this model are missing from the Hugging Face cache.</source>
        <translation>Hugging Face 캐시에 이 모델의 파일 일부가 없습니다.</translation>
    </message>
    <message>
        <source>This model is part of Sluice.</source>
        <translation>Sluice에 들어 있는 모델입니다.</translation>
    </message>
    <message>
        <source>This folder is not in the Hugging Face cache, so Sluice does not delete it.</source>
        <translation>직접 추가한 폴더이므로 Sluice가 삭제하지 않습니다.</translation>
    </message>
    <message>
        <source>Uninstalling Sluice deletes it.</source>
        <translation>Sluice를 지우면 함께 지워집니다.</translation>
    </message>
    <message>
        <source>Remove it from the list, or delete it yourself.</source>
        <translation>목록에서 빼거나 직접 삭제하세요.</translation>
    </message>
    <message>
        <source>“{name}” is no longer in the cache.</source>
        <translation>“{name}” 모델은 이제 캐시에 없습니다.</translation>
    </message>
    <message>
        <source>“{name}” could not be deleted.</source>
        <translation>“{name}” 모델을 삭제하지 못했습니다.</translation>
    </message>
    <message>
        <source>Close the programs that use it, and try again.</source>
        <translation>이 모델을 쓰는 프로그램을 닫고 다시 시도하세요.</translation>
    </message>
    <message>
        <source>Files of “{name}” could not be deleted.</source>
        <translation>“{name}” 모델의 파일을 삭제하지 못했습니다.</translation>
    </message>
    <message>
        <source>Check that you have permission to write to the Hugging Face cache.</source>
        <translation>Hugging Face 캐시에 쓸 권한이 있는지 확인하세요.</translation>
    </message>
    <message>
        <source>Try again later, or report it to the model&apos;s author.</source>
        <translation>나중에 다시 시도하거나 모델 제작자에게 알리세요.</translation>
    </message>
    <message>
        <source>The file is larger than {most} MB, so it can&apos;t be a file of presets.</source>
        <translation>파일이 {most} MB보다 커서 프리셋으로 볼 수 없습니다.</translation>
    </message>
    <message>
        <source>The file isn&apos;t JSON, so it contains no presets.</source>
        <translation>JSON 파일이 아니므로 프리셋이 없습니다.</translation>
    </message>
    <message>
        <source>The file contains no presets of Sluice.</source>
        <translation>파일에 Sluice 프리셋이 없습니다.</translation>
    </message>
    <message>
        <source>The file contains {count} presets; from 1 to {most} can be read.</source>
        <translation>파일에 프리셋이 {count}개 있습니다. 1개에서 {most}개까지 읽을 수 있습니다.</translation>
    </message>
    <message>
        <source>The file contains a value whose type doesn&apos;t fit its setting.</source>
        <translation>파일에 설정과 종류가 다른 값이 있습니다.</translation>
    </message>
    <message>
        <source>The file contains a preset whose name is empty, unreadable or longer than {most} characters.</source>
        <translation>파일에 이름이 비었거나 읽을 수 없거나 {most}자보다 긴 프리셋이 있습니다.</translation>
    </message>
    <message>
        <source>“{name}” has a system prompt that isn&apos;t valid text.</source>
        <translation>“{name}”의 시스템 프롬프트는 글이 아닙니다.</translation>
    </message>
    <message>
        <source>“{name}” contains an invalid token id.</source>
        <translation>“{name}”에 어느 모델에도 없는 토큰이 있습니다.</translation>
    </message>
    <message>
        <source>The file was written by another version of Sluice, which this one can&apos;t read.</source>
        <translation>다른 버전의 Sluice가 쓴 파일이라 이 버전에서는 읽을 수 없습니다.</translation>
    </message>
    <message>
        <source>“{name}” has stop strings or tokens that are empty, too long or too many.</source>
        <translation>“{name}”에 비었거나 너무 길거나 너무 많은 중지 문자열 또는 토큰이 있습니다.</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>균형</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>탐욕적</translation>
    </message>
    <message>
        <source>Creative</source>
        <translation>창의적</translation>
    </message>
    <message>
        <source>Model&apos;s own</source>
        <translation>모델 기본값</translation>
    </message>
    <message>
        <source>A preset needs a name.</source>
        <translation>프리셋에는 이름이 있어야 합니다.</translation>
    </message>
    <message>
        <source>A name has at most {most} characters.</source>
        <translation>이름은 {most}자까지 쓸 수 있습니다.</translation>
    </message>
    <message>
        <source>A preset “{name}” already exists.</source>
        <translation>“{name}” 프리셋이 이미 있습니다.</translation>
    </message>
    <message>
        <source>{title} (copy)</source>
        <translation>{title} (사본)</translation>
    </message>
    <message>
        <source>the disk is full</source>
        <translation>디스크가 가득 찼습니다</translation>
    </message>
    <message>
        <source>another program is using it</source>
        <translation>다른 프로그램이 사용하고 있습니다</translation>
    </message>
    <message>
        <source>it could not be opened</source>
        <translation>열지 못했습니다</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>손상되었습니다</translation>
    </message>
    <message>
        <source>Close the other Sluice and start again.</source>
        <translation>다른 Sluice를 닫고 다시 시작하세요.</translation>
    </message>
    <message>
        <source>Update Sluice. The file wasn&apos;t changed.</source>
        <translation>Sluice를 업데이트하세요. 파일은 그대로 두었습니다.</translation>
    </message>
    <message>
        <source>The damaged file is now {file}.</source>
        <translation>손상된 파일은 {file}(으)로 보관했습니다.</translation>
    </message>
    <message>
        <source>New text is in memory, and Sluice writes it as soon as possible. You can also save the sessions to another folder.</source>
        <translation>지금부터의 내용은 메모리에 두었다가 쓸 수 있게 되면 바로 저장합니다. 또는 세션을 다른 곳에 저장하세요.</translation>
    </message>
    <message>
        <source>its file is missing</source>
        <translation>기록 파일이 더 이상 없습니다</translation>
    </message>
    <message>
        <source>it is read-only</source>
        <translation>쓰기 권한이 없습니다</translation>
    </message>
    <message>
        <source>the disk reports an error</source>
        <translation>디스크가 제대로 응답하지 않습니다</translation>
    </message>
    <message>
        <source>The session database in {folder} can&apos;t be used, since {reason}.</source>
        <translation>{folder}에 있는 세션 데이터베이스를 사용할 수 없습니다: {reason}.</translation>
    </message>
    <message>
        <source>The session database in {folder} can&apos;t be used, since another Sluice has it open.</source>
        <translation>다른 Sluice가 열고 있어서 {folder}에 있는 세션 데이터베이스를 사용할 수 없습니다.</translation>
    </message>
    <message>
        <source>The session database in {folder} can&apos;t be used, since a newer Sluice or another program has written it.</source>
        <translation>{folder}에 있는 세션 데이터베이스는 더 새로운 Sluice나 다른 프로그램이 쓴 것이어서 사용할 수 없습니다.</translation>
    </message>
    <message>
        <source>The session database was damaged: no session could be read.</source>
        <translation>세션 데이터베이스가 손상되었습니다. 읽을 수 있는 세션이 없습니다.</translation>
    </message>
    <message numerus="yes">
        <source>The session database was damaged: %n sessions were recovered.</source>
        <comment>The session database was damaged: %n session was recovered.</comment>
        <translation>
            <numerusform>세션 데이터베이스가 손상되었습니다. 읽을 수 있는 세션 %n개를 되살렸습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The path of the session database was not a regular file, so Sluice has made a new one.</source>
        <translation>세션 데이터베이스의 경로가 일반 파일이 아니어서 Sluice가 새로 만들었습니다.</translation>
    </message>
    <message>
        <source>The session database can&apos;t be written, since {reason}.</source>
        <translation>세션 데이터베이스를 쓸 수 없습니다: {reason}.</translation>
    </message>
    <message>
        <source>The session database in {folder} can&apos;t be written, since {reason}.</source>
        <translation>{folder}에 있는 세션 데이터베이스를 쓸 수 없습니다: {reason}.</translation>
    </message>
    <message>
        <source>The session database can&apos;t be read, since {reason}.</source>
        <translation>세션 데이터베이스를 읽을 수 없습니다: {reason}.</translation>
    </message>
    <message>
        <source>The session database in {folder} can&apos;t be read, since {reason}.</source>
        <translation>{folder}에 있는 세션 데이터베이스를 읽을 수 없습니다: {reason}.</translation>
    </message>
    <message>
        <source>Restart Sluice: it renames a damaged file and recovers the readable sessions.</source>
        <translation>Sluice를 다시 시작하세요. 손상된 파일은 따로 보관하고 읽을 수 있는 것을 복구합니다.</translation>
    </message>
    <message>
        <source>A run in the session database is damaged. It is listed, but exports and comparisons omit it.</source>
        <translation>세션 데이터베이스에 있는 실행 하나를 온전히 읽을 수 없습니다. 목록에는 나타나지만, 전체 내용이 필요한 곳에서는 빠집니다.</translation>
    </message>
    <message>
        <source>The sessions could not be saved in {folder}, since {reason}.</source>
        <translation>{folder}에 세션을 저장하지 못했습니다: {reason}.</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>다른 폴더를 선택하세요.</translation>
    </message>
    <message>
        <source>The session database could not be erased, since {reason}.</source>
        <translation>세션 데이터베이스를 완전히 비우지 못했습니다: {reason}.</translation>
    </message>
    <message>
        <source>The session database in {folder} could not be erased, since {reason}.</source>
        <translation>{folder}의 세션 데이터베이스를 완전히 비우지 못했습니다: {reason}.</translation>
    </message>
    <message>
        <source>{folder} already has a session database.</source>
        <translation>{folder}에 이미 세션 데이터베이스가 있습니다.</translation>
    </message>
    <message>
        <source>One change could not be saved in the session database.</source>
        <translation>변경 하나를 세션 데이터베이스에 남기지 못했습니다.</translation>
    </message>
    <message>
        <source>The rest is saved; report this with the details.</source>
        <translation>나머지는 남겼습니다. 자세한 내용과 함께 알려 주세요.</translation>
    </message>
    <message>
        <source>Close other programs that read it, and try again.</source>
        <translation>기록을 읽고 있는 다른 프로그램을 닫고 다시 시도하세요.</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>새 세션</translation>
    </message>
    <message>
        <source>system</source>
        <comment>the operating system</comment>
        <translation>운영 체제</translation>
    </message>
    <message>
        <source>chip</source>
        <translation>칩</translation>
    </message>
    <message>
        <source>first difference at token {number}: {before} became {after}</source>
        <translation>토큰 {number}에서 처음 달라짐: {before} → {after}</translation>
    </message>
    <message>
        <source>first difference at token {number}: {before} became {after}; near tie: rounding alone can flip it</source>
        <translation>토큰 {number}에서 처음 달라짐: {before} → {after}. 확률이 거의 같아 계산이 조금만 달라져도 뒤바뀝니다</translation>
    </message>
    <message>
        <source>identical up to the end of the first run, {count} of {all} tokens</source>
        <translation>둘 다 있는 데까지는 같음: 처음 실행이 토큰 {all}개 중 {count}개에서 끝났습니다</translation>
    </message>
    <message>
        <source>identical up to the end of the rerun, {count} of {all} tokens</source>
        <translation>둘 다 있는 데까지는 같음: 재현이 토큰 {all}개 중 {count}개에서 끝났습니다</translation>
    </message>
    <message>
        <source>identical, {count} of {count} tokens</source>
        <translation>똑같음, 토큰 {count}개 중 {count}개</translation>
    </message>
    <message>
        <source>{what} was {before}, now {after}</source>
        <translation>{what}: 전에는 {before}, 지금은 {after}</translation>
    </message>
    <message>
        <source>{sentence}. A likely cause: {causes}</source>
        <translation>{sentence}. 원인으로 보이는 것: {causes}</translation>
    </message>
    <message>
        <source>Recovered</source>
        <translation>복구됨</translation>
    </message>
    <message>
        <source>it is not valid JSON at line {line}</source>
        <translation>{line}번째 줄이 JSON이 아닙니다</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>너무 깊이 중첩되어 있습니다</translation>
    </message>
    <message>
        <source>it has too many values</source>
        <translation>값이 너무 많습니다</translation>
    </message>
    <message>
        <source>an object has the same name twice</source>
        <translation>한 객체에 같은 이름이 두 번 있습니다</translation>
    </message>
    <message>
        <source>{place} is not a number</source>
        <translation>{place}: 수가 아닙니다</translation>
    </message>
    <message>
        <source>a number is too long</source>
        <translation>너무 긴 수가 있습니다</translation>
    </message>
    <message>
        <source>Export the results as JSON, and verify that file.</source>
        <translation>결과를 JSON으로 내보낸 뒤 그 파일을 검증하세요.</translation>
    </message>
    <message>
        <source>it isn&apos;t an exported evaluation</source>
        <translation>내보낸 평가가 아닙니다</translation>
    </message>
    <message>
        <source>{file} can&apos;t be opened: {reason}.</source>
        <translation>{file} 파일을 열 수 없습니다: {reason}.</translation>
    </message>
    <message>
        <source>{file} has no rates: none of its answers was checked.</source>
        <translation>{file}에 비율이 없습니다. 판정된 답이 없습니다.</translation>
    </message>
    <message>
        <source>The rows in the file are not those that its hash names.</source>
        <translation>파일의 행이 해시와 맞지 않습니다.</translation>
    </message>
    <message>
        <source>The settings in the file were changed after its export.</source>
        <translation>파일의 설정이 내보낸 뒤에 변경되었습니다.</translation>
    </message>
    <message>
        <source>{variant}: {model} has other files than the published model.</source>
        <translation>{variant}: {model}의 파일이 공개된 모델의 파일과 다릅니다.</translation>
    </message>
    <message>
        <source>{variant}: none of its answers was checked.</source>
        <translation>{variant}: 판정된 답이 없습니다.</translation>
    </message>
    <message>
        <source>{variant}: {now} right; published: {was} (95 % CI {low} to {high}).</source>
        <translation>{variant}: 정답 {now}, 공개된 값: {was} (95 % CI {low}~{high}).</translation>
    </message>
    <message>
        <source>{variant}: {now} right, outside the published interval: {was} (95 % CI {low} to {high}).</source>
        <translation>{variant}: 정답 {now}, 공개된 구간을 벗어남: {was} (95 % CI {low}~{high}).</translation>
    </message>
    <message numerus="yes">
        <source>{same} of %n answers are judged as published.</source>
        <comment>{same} of %n answer is judged as published.</comment>
        <translation>
            <numerusform>답변 %n개 중 {same}개의 판정이 공개된 결과와 같습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The file</source>
        <translation>이</translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation>너무 큽니다</translation>
    </message>
    <message>
        <source>a newer Sluice wrote it</source>
        <translation>더 새로운 Sluice에서 만들었습니다</translation>
    </message>
    <message>
        <source>it is not UTF-8 text</source>
        <translation>UTF-8 텍스트가 아닙니다</translation>
    </message>
    <message>
        <source>Export it again, or open another file.</source>
        <translation>다시 내보내거나 다른 파일을 여세요.</translation>
    </message>
    <message>
        <source>it is not a {kind}</source>
        <translation>“{kind}” 파일이 아닙니다</translation>
    </message>
    <message>
        <source>the session</source>
        <translation>세션</translation>
    </message>
    <message>
        <source>{place} is neither user nor assistant</source>
        <translation>{place}: user도 assistant도 아닙니다</translation>
    </message>
    <message>
        <source>{place} can&apos;t be running in a file</source>
        <translation>{place}: 파일에서는 running일 수 없습니다</translation>
    </message>
    <message>
        <source>{place} has offsets outside of its text</source>
        <translation>{place}: 글 밖의 위치를 가리킵니다</translation>
    </message>
    <message>
        <source>{place} has an invalid name of a template variable</source>
        <translation>{place}: 어떤 채팅 템플릿도 읽을 수 없는 이름이 있습니다</translation>
    </message>
    <message>
        <source>{place} refers to a missing turn</source>
        <translation>{place}: 없는 차례를 가리킵니다</translation>
    </message>
    <message>
        <source>{place} has a negative token id</source>
        <translation>{place}: 0보다 작은 토큰이 있습니다</translation>
    </message>
    <message>
        <source>{place} has an invalid date</source>
        <translation>{place}: 있을 수 없는 날짜가 있습니다</translation>
    </message>
    <message>
        <source>Report this with the details.</source>
        <translation>자세한 내용과 함께 알려 주세요.</translation>
    </message>
    <message>
        <source>running</source>
        <translation>아직 진행 중</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>중단됨</translation>
    </message>
    <message>
        <source>Rerun without cache</source>
        <translation>캐시 없이 다시 실행</translation>
    </message>
    <message>
        <source>Measure…</source>
        <translation>측정…</translation>
    </message>
    <message>
        <source>Show token {number}</source>
        <translation>토큰 {number} 보기</translation>
    </message>
    <message>
        <source>Clear: {field}</source>
        <translation>지우기: {field}</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>지우기</translation>
    </message>
    <message>
        <source>Difference of the texts</source>
        <translation>두 글의 차이</translation>
    </message>
    <message>
        <source>Struck through: only in the first. Underlined: only in the second</source>
        <translation>취소선: 첫째에만 있음. 밑줄: 둘째에만 있음</translation>
    </message>
    <message>
        <source>The two texts are the same.</source>
        <translation>두 글이 같습니다.</translation>
    </message>
    <message>
        <source>{both} words in both, {first} only in the first, {second} only in the second.</source>
        <translation>둘 다에 있는 단어 {both}개, 첫째에만 {first}개, 둘째에만 {second}개.</translation>
    </message>
    <message>
        <source>No EOS probability: no tokens are shown yet.</source>
        <translation>EOS 확률 없음: 아직 보이는 토큰이 없습니다.</translation>
    </message>
    <message>
        <source>No EOS probability: this run recorded no alternatives. Turn on “Record alternatives” for the next run.</source>
        <translation>EOS 확률 없음: 이 실행은 후보를 기록하지 않았습니다. 다음 실행 전에 “후보 기록”을 켜세요.</translation>
    </message>
    <message>
        <source>inserted by you</source>
        <translation>직접 넣음</translation>
    </message>
    <message>
        <source>inter-token latency {time}</source>
        <translation>토큰 사이 지연 {time}</translation>
    </message>
    <message>
        <source>{speed} tok/s now</source>
        <translation>현재 {speed} tok/s</translation>
    </message>
    <message>
        <source>mean latency between steps {time}</source>
        <translation>스텝 사이 평균 지연 {time}</translation>
    </message>
    <message>
        <source>mean inter-token latency {time}</source>
        <translation>토큰 사이 평균 지연 {time}</translation>
    </message>
    <message>
        <source>p95 {time}</source>
        <translation>p95 {time}</translation>
    </message>
    <message>
        <source>EOS peak at {where}</source>
        <translation>EOS 최고 {where}</translation>
    </message>
    <message>
        <source>EOS probability peaked at token {where}.</source>
        <translation>EOS 확률의 최고점은 토큰 {where}.</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>다음</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>보냄</translation>
    </message>
    <message>
        <source>Spaces</source>
        <translation>공백</translation>
    </message>
    <message>
        <source>The tokens that Send would pass to the model now</source>
        <translation>지금 보내면 모델에 들어갈 내용</translation>
    </message>
    <message>
        <source>The tokens of the last run&apos;s prompt</source>
        <translation>마지막 실행이 보낸 내용</translation>
    </message>
    <message>
        <source>Type a prompt to see its tokens here.</source>
        <translation>프롬프트를 입력하면 모델에 들어갈 토큰이 여기에 나타납니다.</translation>
    </message>
    <message>
        <source>No prompt was sent yet.</source>
        <translation>아직 보낸 것이 없습니다.</translation>
    </message>
    <message>
        <source>Run the model once over this prompt and color each token by its surprisal</source>
        <translation>이 프롬프트로 모델을 한 번 실행해 토큰마다 놀라움 정도로 색칠합니다</translation>
    </message>
    <message>
        <source>Show the first token that isn&apos;t cached</source>
        <translation>캐시에 없는 첫 토큰 보기</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>보기</translation>
    </message>
    <message>
        <source>Set the template argument that keeps earlier turns cached</source>
        <translation>앞선 차례를 캐시에 그대로 두는 템플릿 인수를 설정합니다</translation>
    </message>
    <message>
        <source>Repeat the last run without the cache. The conversation doesn&apos;t change</source>
        <translation>같은 프롬프트를 대화와 별도로 캐시 없이 다시 실행합니다</translation>
    </message>
    <message>
        <source>Measure several runs with and without the cache</source>
        <translation>캐시를 쓸 때와 안 쓸 때를 여러 번 실행합니다</translation>
    </message>
    <message>
        <source>Set {name}</source>
        <translation>{name} 설정</translation>
    </message>
    <message>
        <source>Show whitespace and control characters</source>
        <translation>공백과 보이지 않는 문자를 표시합니다</translation>
    </message>
    <message>
        <source>Size of the prompt: {size}</source>
        <translation>프롬프트의 크기: {size}</translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>아직 없음</translation>
    </message>
    <message>
        <source>Copy the prompt text or its token ids, or view the chat template</source>
        <translation>모델에게 가는 글 전체나 토큰 번호를 복사하고, 모델의 채팅 템플릿을 읽습니다</translation>
    </message>
    <message>
        <source>Copy ▾</source>
        <translation>복사 ▾</translation>
    </message>
    <message>
        <source>Copy Text</source>
        <translation>텍스트 복사</translation>
    </message>
    <message>
        <source>Copy Ids</source>
        <translation>ID 복사</translation>
    </message>
    <message>
        <source>{length} of {context} tokens</source>
        <translation>토큰 {context}개 중 {length}개</translation>
    </message>
    <message>
        <source>{number} %</source>
        <translation>{number}%</translation>
    </message>
    <message>
        <source>{number}×</source>
        <translation>{number}배</translation>
    </message>
    <message>
        <source>{0} ms</source>
        <extracomment>Milliseconds, seconds, minutes and seconds, hours and minutes.</extracomment>
        <translation>{0} ms</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0}초</translation>
    </message>
    <message>
        <source>{0} min {1} s</source>
        <translation>{0}분 {1}초</translation>
    </message>
    <message>
        <source>{0} h {1} min</source>
        <translation>{0}시간 {1}분</translation>
    </message>
    <message>
        <source>{0} milliseconds</source>
        <translation>{0}밀리초</translation>
    </message>
    <message>
        <source>{0} seconds</source>
        <translation>{0}초</translation>
    </message>
    <message>
        <source>{0} minutes {1} seconds</source>
        <translation>{0}분 {1}초</translation>
    </message>
    <message>
        <source>{0} hours {1} minutes</source>
        <translation>{0}시간 {1}분</translation>
    </message>
    <message>
        <source>{number} tokens per second</source>
        <translation>초당 {number}토큰</translation>
    </message>
    <message>
        <source>{bits}-bit, group {size}</source>
        <translation>{bits}비트, 그룹 {size}</translation>
    </message>
    <message>
        <source>{stored}, dequantized to {precision}</source>
        <translation>{stored}, {precision}로 역양자화해서 계산</translation>
    </message>
    <message>
        <source>{stored}, computed in {precision}</source>
        <translation>{stored}, {precision}로 계산</translation>
    </message>
    <message>
        <source>{model}, {format}</source>
        <translation>{model}, {format}</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>목차</translation>
    </message>
    <message>
        <source>The sections of the page</source>
        <translation>문서를 이루는 절들입니다</translation>
    </message>
    <message>
        <source>‹ &amp;Previous</source>
        <translation>‹ 이전(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next ›</source>
        <translation>다음(&amp;N) ›</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <extracomment>Of the finds in a text: the third of twelve.</extracomment>
        <translation>{number} / {count}</translation>
    </message>
    <message>
        <source>Help page</source>
        <translation>도움말 문서</translation>
    </message>
    <message>
        <source>Latest</source>
        <translation>맨 아래</translation>
    </message>
    <message>
        <source>↓ latest</source>
        <translation>↓ 맨 아래</translation>
    </message>
    <message>
        <source>Go to the end and follow the text</source>
        <translation>맨 아래로 가서 새 글을 따라갑니다</translation>
    </message>
    <message>
        <source>Reading the list of installed software…</source>
        <translation>설치된 것을 살펴보는 중…</translation>
    </message>
    <message>
        <source>Parts of Sluice</source>
        <translation>Sluice의 구성 요소</translation>
    </message>
    <message>
        <source>All bundled software, with its license</source>
        <translation>Sluice를 이루는 모든 것과 그 라이선스</translation>
    </message>
    <message>
        <source>License text</source>
        <translation>라이선스 본문</translation>
    </message>
    <message>
        <source>Text of the license, which can be selected and copied</source>
        <translation>라이선스 본문, 선택해서 복사할 수 있습니다</translation>
    </message>
    <message numerus="yes">
        <source>Sluice contains %n parts by others. Each keeps its own license.</source>
        <comment>Sluice contains %n part by others. It keeps its own license.</comment>
        <translation>
            <numerusform>Sluice에는 다른 이들이 만든 구성 요소가 %n개 들어 있습니다. 각각 만든 이의 라이선스를 따릅니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Shows MLX&apos;s memory while a model is open.</source>
        <translation>모델이 열려 있는 동안 MLX의 메모리를 보여 줍니다.</translation>
    </message>
    <message>
        <source>{active}, peak {peak}</source>
        <translation>{active}, 최고 {peak}</translation>
    </message>
    <message>
        <source>{active} now</source>
        <translation>지금 {active}</translation>
    </message>
    <message>
        <source>{now}, not during the displayed run.</source>
        <translation>{now}. 표시된 실행 중에 측정한 값이 아닙니다.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>장치</translation>
    </message>
    <message>
        <source>Active: prompt cache</source>
        <translation>사용 중: 프롬프트 캐시</translation>
    </message>
    <message>
        <source>the device reports no limit</source>
        <translation>장치가 한도를 알리지 않음</translation>
    </message>
    <message>
        <source>not reported</source>
        <translation>알 수 없음</translation>
    </message>
    <message>
        <source>Memory is {share} full: use a shorter context or a smaller model.</source>
        <translation>메모리가 {share} 찼습니다. 컨텍스트를 줄이거나 더 작은 모델을 쓰세요.</translation>
    </message>
    <message>
        <source>weights {size}</source>
        <translation>가중치 {size}</translation>
    </message>
    <message>
        <source>KV cache {size}</source>
        <translation>KV 캐시 {size}</translation>
    </message>
    <message>
        <source>prompt cache {size}</source>
        <translation>프롬프트 캐시 {size}</translation>
    </message>
    <message>
        <source>other {size}</source>
        <translation>기타 {size}</translation>
    </message>
    <message>
        <source>allocator cache {size}</source>
        <translation>할당자 캐시 {size}</translation>
    </message>
    <message>
        <source>Probability of an EOS or stop token at each place: the line from 0 to 100 %</source>
        <translation>자리마다 EOS 또는 중지 토큰이 나올 확률: 0에서 100 %까지의 선</translation>
    </message>
    <message>
        <source>Speed over Time</source>
        <translation>시간에 따른 속도</translation>
    </message>
    <message>
        <source>The speed will appear here</source>
        <translation>속도가 여기에 나타납니다</translation>
    </message>
    <message>
        <source>Speed over Tokens</source>
        <translation>토큰에 따른 속도</translation>
    </message>
    <message>
        <source>EOS Probability</source>
        <translation>EOS 확률</translation>
    </message>
    <message>
        <source>Keeps this run&apos;s curve and mean in the graph while later runs are drawn, up to three runs.</source>
        <translation>다음 실행을 그리는 동안 이 실행의 곡선과 평균을 그래프에 남겨 둡니다. 세 실행까지 고정할 수 있습니다.</translation>
    </message>
    <message>
        <source>Pin This Run</source>
        <translation>이 실행 고정</translation>
    </message>
    <message>
        <source>Unpin All Runs</source>
        <translation>모든 실행 고정 해제</translation>
    </message>
    <message>
        <source>Copy as Picture</source>
        <translation>그림으로 복사</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>CSV로 복사</translation>
    </message>
    <message>
        <source>Copy Each Token as CSV</source>
        <translation>각 토큰을 CSV로 복사</translation>
    </message>
    <message>
        <source>Pinned: {model}, mean {mean}.</source>
        <translation>고정됨: {model}, 평균 {mean}.</translation>
    </message>
    <message>
        <source>Options of the graph; copy it as a picture or CSV</source>
        <translation>그래프 옵션, 그림이나 CSV로 복사</translation>
    </message>
    <message>
        <source>Speed graph menu</source>
        <translation>속도 그래프 메뉴</translation>
    </message>
    <message>
        <source>Numbers as tables</source>
        <translation>수치를 표로 보기</translation>
    </message>
    <message>
        <source>No numbers yet.</source>
        <translation>아직 숫자가 없습니다.</translation>
    </message>
    <message>
        <source>Numbers as Tables</source>
        <translation>수치를 표로 보기</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>표</translation>
    </message>
    <message>
        <source>Arrow keys switch tabs</source>
        <translation>화살표 키로 탭을 바꿉니다</translation>
    </message>
    <message>
        <source>Copies the displayed table as comma-separated values</source>
        <translation>보이는 표를 쉼표로 구분된 값으로 복사합니다</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>생각함</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>생각하는 중…</translation>
    </message>
    <message numerus="yes">
        <source>Thought for %n tokens</source>
        <comment>Thought for %n token</comment>
        <translation>
            <numerusform>토큰 %n개 동안 생각함</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Thinking… %n tokens</source>
        <comment>Thinking… %n token</comment>
        <translation>
            <numerusform>생각하는 중… 토큰 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>… and {count} characters more, sent but not shown here</source>
        <translation>… 그리고 {count}자 더. 보냈지만 여기에는 표시하지 않습니다</translation>
    </message>
    <message>
        <source>Opening {name}</source>
        <translation>{name} 여는 중</translation>
    </message>
    <message>
        <source>Opening {name}: {stage}</source>
        <translation>{name} 여는 중: {stage}</translation>
    </message>
    <message>
        <source>Opening {name}: {share} of {size}</source>
        <translation>{name} 여는 중: {size} 중 {share}</translation>
    </message>
    <message>
        <source>Stop loading the model</source>
        <translation>모델 열기를 중단합니다</translation>
    </message>
    <message>
        <source>First decode step</source>
        <translation>첫 디코딩 단계</translation>
    </message>
    <message>
        <source>Prefilling the prompt</source>
        <translation>프롬프트 프리필 중</translation>
    </message>
    <message numerus="yes">
        <source>Prefill: {share} of %n tokens</source>
        <comment>Prefill: {share} of %n token</comment>
        <translation>
            <numerusform>프리필: 토큰 %n개 중 {share}</numerusform>
        </translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>{time} 남음</translation>
    </message>
    <message>
        <source>prefilled again: this model&apos;s cache can&apos;t be trimmed</source>
        <translation>다시 읽음: 이 모델의 캐시는 되돌릴 수 없습니다</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>중지하는 중</translation>
    </message>
    <message>
        <source>Progress: {words}</source>
        <translation>진행: {words}</translation>
    </message>
    <message>
        <source>Send the prompt</source>
        <translation>프롬프트를 보냅니다</translation>
    </message>
    <message>
        <source>Prompt tokens: {count}</source>
        <translation>프롬프트 토큰: {count}</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>세지 않음</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>진행 중인 작업을 중지합니다</translation>
    </message>
    <message>
        <source>Editing an answer. Sending it makes a branch marked “Edited by hand”, without a run.</source>
        <translation>답변을 편집하는 중입니다. 보내면 “직접 편집함”으로 표시된, 실행이 없는 분기가 생깁니다.</translation>
    </message>
    <message>
        <source>Stop the run in “{title}”</source>
        <translation>“{title}”의 실행을 중지합니다</translation>
    </message>
    <message>
        <source>Write a prompt.</source>
        <translation>프롬프트를 쓰세요.</translation>
    </message>
    <message>
        <source>Write a page. The model continues it.</source>
        <translation>한 페이지를 쓰세요. 모델이 이어서 씁니다.</translation>
    </message>
    <message>
        <source>{sends} sends, {breaks} adds a line.</source>
        <translation>{sends}: 보내기, {breaks}: 줄 바꾸기.</translation>
    </message>
    <message>
        <source>Write the next prompt.</source>
        <translation>다음에 보낼 글을 써 두세요.</translation>
    </message>
    <message>
        <source>You can send it after this run.</source>
        <translation>이 실행이 끝나면 보낼 수 있습니다.</translation>
    </message>
    <message>
        <source>{sends} queues it for after this run.</source>
        <translation>{sends} 키를 누르면 이 실행 다음으로 대기열에 넣습니다.</translation>
    </message>
    <message>
        <source>Send the page ({key})</source>
        <translation>글 보내기({key})</translation>
    </message>
    <message>
        <source>Send the prompt ({key})</source>
        <translation>프롬프트 보내기({key})</translation>
    </message>
    <message>
        <source>Queue the prompt ({key}). It is sent after this run, with the current settings.</source>
        <translation>프롬프트를 대기열에 넣습니다({key}). 이 실행이 끝나면 현재 설정으로 보냅니다.</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>대기열에 넣기</translation>
    </message>
    <message>
        <source>dd MMM HH:mm:ss</source>
        <extracomment>As Qt writes a date and its time: of this year, or of another one.</extracomment>
        <translation>MMM d일 HH:mm:ss</translation>
    </message>
    <message>
        <source>dd MMM yyyy HH:mm</source>
        <translation>yyyy. M. d. HH:mm</translation>
    </message>
    <message>
        <source>{setting} ({before} above)</source>
        <translation>{setting} (위는 {before})</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>세션</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>None (–): not sent to the server of this run.</source>
        <translation>없음(–): 서버의 실행이며, 서버에는 시드를 보내지 않았습니다.</translation>
    </message>
    <message>
        <source>The session of the run</source>
        <translation>속한 세션</translation>
    </message>
    <message>
        <source>The beginning of the prompt</source>
        <translation>프롬프트의 앞부분</translation>
    </message>
    <message>
        <source>The beginning of the answer</source>
        <translation>답변의 앞부분</translation>
    </message>
    <message>
        <source>Temp.</source>
        <translation>온도</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>재사용</translation>
    </message>
    <message>
        <source>First</source>
        <translation>첫 토큰</translation>
    </message>
    <message>
        <source>Tok/s</source>
        <translation>토큰/초</translation>
    </message>
    <message>
        <source>Finish reason, with mlx-lm&apos;s name in brackets</source>
        <translation>왜 끝났는지, 괄호 안은 mlx-lm의 말</translation>
    </message>
    <message>
        <source>Changed settings</source>
        <translation>바뀐 설정</translation>
    </message>
    <message>
        <source>All other settings that differ from the row above</source>
        <translation>위 행과 다른 그 밖의 모든 설정</translation>
    </message>
    <message>
        <source>Also show the settings and values that are equal in all columns</source>
        <translation>모든 열에서 같은 설정과 값도 표시</translation>
    </message>
    <message numerus="yes">
        <source>Show %n equal rows</source>
        <comment>Show %n equal row</comment>
        <translation>
            <numerusform>같은 행 %n개 표시</numerusform>
        </translation>
    </message>
    <message>
        <source>Go to the next tokens that differ</source>
        <translation>다음으로 다른 토큰으로 이동</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>다음 차이</translation>
    </message>
    <message>
        <source>The first text</source>
        <translation>첫 번째 글</translation>
    </message>
    <message>
        <source>The second text</source>
        <translation>두 번째 글</translation>
    </message>
    <message>
        <source>Copy as a word diff ([-removed-] {+added+})</source>
        <translation>낱말 단위 차이로 복사합니다([-삭제-] {+추가+})</translation>
    </message>
    <message>
        <source>Copy the difference</source>
        <translation>차이 복사</translation>
    </message>
    <message>
        <source>Tokens per second, or the surprisal around each token</source>
        <translation>초당 토큰 수, 또는 각 토큰 주변의 놀라움</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>시간</translation>
    </message>
    <message>
        <source>Curves over time</source>
        <translation>시간에 따른 곡선</translation>
    </message>
    <message>
        <source>Curves over tokens</source>
        <translation>토큰에 따른 곡선</translation>
    </message>
    <message>
        <source>Speed curves</source>
        <translation>속도 곡선</translation>
    </message>
    <message>
        <source>{letter}, {name}: mean {speed}</source>
        <translation>{letter}, {name}: 평균 {speed}</translation>
    </message>
    <message>
        <source>Run the same request again, and compare it token by token</source>
        <translation>같은 요청을 대화와 별도로 다시 실행하여 토큰마다 비교합니다</translation>
    </message>
    <message>
        <source>Export the tokens of this run, each with its time, probability and alternatives, as JSON or CSV</source>
        <translation>이 실행의 토큰을 시간, 확률, 후보와 함께 JSON이나 CSV로 내보냅니다</translation>
    </message>
    <message>
        <source>Predict whether prompt lookup or the draft model would have made this run faster</source>
        <translation>Prompt lookup이나 드래프트 모델을 썼다면 이 실행이 더 빨랐을지 예측합니다</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>실행 내역</translation>
    </message>
    <message>
        <source>All settings of the chosen run</source>
        <translation>선택한 실행의 모든 설정입니다</translation>
    </message>
    <message>
        <source>Predict draft gain…</source>
        <translation>드래프트 이득 예측…</translation>
    </message>
    <message>
        <source>Rerun</source>
        <translation>다시 실행</translation>
    </message>
    <message>
        <source>Stop the rerun</source>
        <translation>다시 실행 중지</translation>
    </message>
    <message>
        <source>Copy the receipt</source>
        <translation>실행 내역 복사</translation>
    </message>
    <message>
        <source>Save this run with all its tokens as JSON or CSV</source>
        <translation>이 실행을 모든 토큰과 함께 JSON이나 CSV로 저장합니다</translation>
    </message>
    <message>
        <source>Enter, or a double click, opens the session of a run</source>
        <translation>Enter나 두 번 클릭으로 실행의 세션 열기</translation>
    </message>
    <message>
        <source>{column}: {text}, differs from the row above</source>
        <translation>{column}: {text}, 위 행과 다름</translation>
    </message>
    <message>
        <source>This session</source>
        <translation>이 세션</translation>
    </message>
    <message>
        <source>All sessions</source>
        <translation>모든 세션</translation>
    </message>
    <message>
        <source>Runs to list</source>
        <translation>표시할 실행</translation>
    </message>
    <message>
        <source>The runs of this session, or of all</source>
        <translation>이 세션의 실행, 또는 모든 세션의 실행</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>정렬 기준</translation>
    </message>
    <message>
        <source>Try This With…</source>
        <translation>이 실행으로 시험…</translation>
    </message>
    <message>
        <source>Select a run to read its receipt and to rerun it; select two or more to compare them.</source>
        <translation>실행을 하나 선택하면 영수증을 보고 다시 실행할 수 있으며, 둘 이상 선택하면 비교합니다.</translation>
    </message>
    <message>
        <source>Each run will appear here as a row, with settings, speed and finish reason.</source>
        <translation>실행마다 설정, 속도, 종료 이유가 한 줄로 여기에 나타납니다.</translation>
    </message>
    <message>
        <source>Would a Draft Have Helped?</source>
        <translation>드래프트가 도움이 되었을까요?</translation>
    </message>
    <message>
        <source>Measuring the decode steps of this model. This takes 6 to 30 seconds, and longer with a long prompt…</source>
        <translation>이 모델의 디코딩 단계를 측정하는 중입니다. 6~30초 걸리며, 프롬프트가 길면 더 걸립니다…</translation>
    </message>
    <message>
        <source>Running the request 3 times with the draft, and 3 times without it…</source>
        <translation>요청을 드래프트와 함께 3번, 드래프트 없이 3번 실행하는 중…</translation>
    </message>
    <message>
        <source>Run the request with and without the fastest draft, and compare their speeds</source>
        <translation>가장 빠른 드래프트를 쓸 때와 쓰지 않을 때 요청을 실행하고 속도를 비교합니다</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>측정(&amp;M)</translation>
    </message>
    <message>
        <source>{title} – Run {number}</source>
        <translation>{title} – 실행 {number}</translation>
    </message>
    <message>
        <source>Reading the run…</source>
        <translation>실행을 읽는 중…</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>중지했습니다.</translation>
    </message>
    <message>
        <source>This run can&apos;t be read from the session database.</source>
        <translation>세션 데이터베이스에서 이 실행을 읽을 수 없습니다.</translation>
    </message>
    <message>
        <source>Export Tokens of the Run…</source>
        <translation>실행의 토큰 내보내기…</translation>
    </message>
    <message>
        <source>Copy Selected Rows as CSV</source>
        <translation>선택한 행을 CSV로 복사</translation>
    </message>
    <message>
        <source>Copy Table as CSV</source>
        <translation>표를 CSV로 복사</translation>
    </message>
    <message>
        <source>Save Table as CSV…</source>
        <translation>표를 CSV로 저장…</translation>
    </message>
    <message>
        <source>Restore the runs ({key} in the table)</source>
        <translation>실행을 되돌립니다(표에서 {key})</translation>
    </message>
    <message>
        <source>Send a short prompt to the open model</source>
        <translation>열린 모델에 짧은 프롬프트를 보냅니다</translation>
    </message>
    <message>
        <source>Compare in Window</source>
        <translation>창에서 비교</translation>
    </message>
    <message>
        <source>Predict Draft Gain…</source>
        <translation>드래프트 이득 예측…</translation>
    </message>
    <message>
        <source>More</source>
        <translation>더 보기</translation>
    </message>
    <message>
        <source>Sort, copy and save the table</source>
        <translation>표 정렬, 복사, 저장</translation>
    </message>
    <message>
        <source>{runs} · {picked} selected, the first {compared} compared</source>
        <translation>{runs} · {picked}개 선택, 처음 {compared}개 비교</translation>
    </message>
    <message>
        <source>{runs} · {picked} selected</source>
        <translation>{runs} · {picked}개 선택</translation>
    </message>
    <message numerus="yes">
        <source>%n runs</source>
        <comment>%n run</comment>
        <translation>
            <numerusform>실행 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs shown: {words}</source>
        <translation>표시된 실행: {words}</translation>
    </message>
    <message>
        <source>□ before   ■ after</source>
        <translation>□ 전   ■ 후</translation>
    </message>
    <message>
        <source>Effect of the settings</source>
        <translation>설정의 효과</translation>
    </message>
    <message>
        <source>Example: the beginning of a story.</source>
        <translation>예: 이야기의 시작.</translation>
    </message>
    <message>
        <source>With recorded alternatives, this shows the token with the highest entropy.</source>
        <translation>후보를 기록하면 엔트로피가 가장 높은 토큰을 보여 줍니다.</translation>
    </message>
    <message>
        <source>Record each token&apos;s most likely alternatives in the next runs. It costs a little speed.</source>
        <translation>다음 실행부터 토큰마다 확률이 높은 후보를 남깁니다. 속도가 조금 느려집니다.</translation>
    </message>
    <message>
        <source>Recording took {share} of the last run.</source>
        <translation>기록에 마지막 실행 시간의 {share}가 걸렸습니다.</translation>
    </message>
    <message>
        <source>Highest-entropy token of the last recorded run (chosen: “{token}”):</source>
        <translation>마지막으로 기록한 실행에서 엔트로피가 가장 높은 토큰(고른 토큰: “{token}”):</translation>
    </message>
    <message>
        <source>others</source>
        <translation>나머지</translation>
    </message>
    <message>
        <source>less than 0.1 %</source>
        <translation>0.1% 미만</translation>
    </message>
    <message>
        <source>These settings change no probability.</source>
        <translation>이 설정은 모델이 낸 확률을 그대로 둡니다.</translation>
    </message>
    <message>
        <source>{filter} is left out: the run did not record what it needs.</source>
        <translation>{filter}: 실행에 필요한 값이 기록되지 않아 제외했습니다.</translation>
    </message>
    <message>
        <source>“{others}” is the sum of all tokens below the top {count}.</source>
        <translation>“{others}”은(는) 상위 {count}개 아래 모든 토큰의 합입니다.</translation>
    </message>
    <message>
        <source>“{others}” is the sum of all tokens below the top {count}. Only this sum is recorded, so “after” values are estimates.</source>
        <translation>“{others}”은(는) 상위 {count}개 아래 모든 토큰의 합입니다. 이 합만 기록하므로 “뒤” 값은 어림한 것입니다.</translation>
    </message>
    <message>
        <source>all others</source>
        <translation>나머지 모두</translation>
    </message>
    <message>
        <source>{name} {before} before, removed by {stage}</source>
        <translation>{name} 전 {before}, {stage}(으)로 제외됨</translation>
    </message>
    <message>
        <source>{stage} removes {count} of {all}</source>
        <translation>{stage}: {all}개 중 {count}개 제외</translation>
    </message>
    <message>
        <source>{stage} removes {count} of {all} and all others</source>
        <translation>{stage}: {all}개 중 {count}개와 나머지 모두 제외</translation>
    </message>
    <message>
        <source>{stage} removes all others</source>
        <translation>{stage}: 나머지 모두 제외</translation>
    </message>
    <message>
        <source>XTC removes {count} at {chance} of the tokens.</source>
        <translation>XTC가 토큰의 {chance}에서 {count}개를 건너뜁니다.</translation>
    </message>
    <message>
        <source>{name} {before} before, {after} after</source>
        <translation>{name} 전 {before}, 후 {after}</translation>
    </message>
    <message>
        <source>At temperature 0 the top token “{token}” is always sampled.</source>
        <translation>온도가 0이면 항상 확률이 가장 높은 “{token}” 토큰을 고릅니다.</translation>
    </message>
    <message>
        <source>{row}, sometimes removed by XTC</source>
        <translation>{row}, XTC가 때때로 제거</translation>
    </message>
    <message>
        <source>“{token}” falls from {before} to {after}.</source>
        <translation>“{token}” 확률이 {before}에서 {after}로 내려갑니다.</translation>
    </message>
    <message>
        <source>“{token}” rises from {before} to {after}.</source>
        <translation>“{token}” 확률이 {before}에서 {after}로 올라갑니다.</translation>
    </message>
    <message>
        <source>No sessions yet. Sent prompts appear here.</source>
        <translation>아직 세션이 없습니다. 보낸 내용이 여기에 남습니다.</translation>
    </message>
    <message>
        <source>No matches. Each word has to match the beginning of a word.</source>
        <translation>찾은 것이 없습니다. 입력한 단어가 모두(앞부분이라도) 들어 있어야 합니다.</translation>
    </message>
    <message>
        <source>Restore the session ({key} in the list)</source>
        <translation>세션을 되살립니다(목록에서 {key})</translation>
    </message>
    <message>
        <source>Search the sessions</source>
        <translation>세션 검색</translation>
    </message>
    <message>
        <source>Search titles and all text</source>
        <translation>제목과 모든 글에서 검색</translation>
    </message>
    <message>
        <source>A conversation, sent with the model&apos;s chat template</source>
        <translation>대화: 입력한 글을 모델의 템플릿으로 감쌉니다</translation>
    </message>
    <message>
        <source>One text, sent without a template, which the model continues</source>
        <translation>한 장의 글: 있는 그대로 모델에 보내고, 모델이 이어서 씁니다</translation>
    </message>
    <message>
        <source>Begin a new session</source>
        <translation>새 세션을 시작합니다</translation>
    </message>
    <message>
        <source>All runs as a table: compare, rerun, export</source>
        <translation>모든 실행을 표로 보고 비교하거나 재현하거나 내보냅니다</translation>
    </message>
    <message>
        <source>The last run as a Python script</source>
        <translation>마지막 실행을 코드로 보기</translation>
    </message>
    <message>
        <source>Show or hide the inspector: controls, token details and the exact prompt</source>
        <translation>설정, 각 토큰에 대해 알려진 것, 모델에 전달되는 것을 보이거나 숨깁니다</translation>
    </message>
    <message>
        <source>Stop the run to open another session.</source>
        <translation>다른 세션을 열려면 실행을 중지하세요.</translation>
    </message>
    <message>
        <source>Leave the title empty to use the first words of the session</source>
        <translation>비워 두면 다시 첫 단어들이 제목이 됩니다</translation>
    </message>
    <message>
        <source>Title of the session</source>
        <translation>세션 제목</translation>
    </message>
    <message>
        <source>Enter opens a session, F2 renames it, Delete deletes it</source>
        <translation>Enter로 열고, F2로 이름을 바꾸고, Delete로 삭제합니다</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>이름 바꾸기</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>고정 해제</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>고정</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>복제</translation>
    </message>
    <message>
        <source>Measure Perplexity…</source>
        <translation>퍼플렉서티 측정…</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>고정됨</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>고정됨</translation>
    </message>
    <message>
        <source>other branch</source>
        <translation>다른 가지</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>초안</translation>
    </message>
    <message numerus="yes">
        <source>%n queued</source>
        <comment>%n queued</comment>
        <translation>
            <numerusform>대기 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Today</source>
        <translation>오늘</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>어제</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <extracomment>As Qt writes dates: a day of this year, or of another one.</extracomment>
        <translation>MMMM d일</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>yyyy년 MMMM d일</translation>
    </message>
    <message>
        <source>Experiments, shown</source>
        <translation>실험, 펼침</translation>
    </message>
    <message>
        <source>Experiments, hidden</source>
        <translation>실험, 접음</translation>
    </message>
    <message>
        <source>Show or hide the sessions of experiments and prompt sets</source>
        <translation>실험과 프롬프트 세트의 세션을 보이거나 숨깁니다</translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation>“{title}” 삭제됨</translation>
    </message>
    <message>
        <source>seconds since Send</source>
        <translation>보낸 뒤 시간(초)</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>토큰</translation>
    </message>
    <message>
        <source>Mean {mean}.</source>
        <translation>평균 {mean}.</translation>
    </message>
    <message>
        <source>One token so far, so there is no speed yet.</source>
        <translation>토큰이 아직 하나여서 속도가 없습니다.</translation>
    </message>
    <message>
        <source>No speed yet.</source>
        <translation>아직 속도가 없습니다.</translation>
    </message>
    <message>
        <source>Mean {mean}; lowest {low}; highest {high}.</source>
        <translation>평균 {mean}. 최저 {low}. 최고 {high}.</translation>
    </message>
    <message>
        <source>Time to first token {time}.</source>
        <translation>첫 토큰까지 {time}.</translation>
    </message>
    <message>
        <source>Prefill speed {speed}.</source>
        <translation>프리필 속도 {speed}.</translation>
    </message>
    <message>
        <source>{speed} at {time}, token {number}</source>
        <translation>{speed}, {time}, 토큰 {number}</translation>
    </message>
    <message>
        <source>same prompt</source>
        <translation>같은 프롬프트</translation>
    </message>
    <message>
        <source>other prompt</source>
        <translation>다른 프롬프트</translation>
    </message>
    <message>
        <source>pinned: {run}</source>
        <translation>고정: {run}</translation>
    </message>
    <message>
        <source>{change} % against pinned</source>
        <translation>고정한 실행 대비 {change} %</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>비트</translation>
    </message>
    <message>
        <source>{time} · token {number} · {value} {unit}</source>
        <translation>{time} · 토큰 {number} · {value} {unit}</translation>
    </message>
    <message>
        <source>Share: mean speed ÷ the bandwidth limit at the middle of the answer.</source>
        <translation>비율: 평균 속도 ÷ 답 중간에서의 대역폭 한계.</translation>
    </message>
    <message>
        <source>TTFT {time}</source>
        <translation>TTFT {time}</translation>
    </message>
    <message numerus="yes">
        <source>prefilling %n tokens</source>
        <comment>prefilling %n token</comment>
        <translation>
            <numerusform>토큰 %n개 프리필 중</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens prefilled</source>
        <comment>%n token prefilled</comment>
        <translation>
            <numerusform>토큰 %n개 프리필</numerusform>
        </translation>
    </message>
    <message>
        <source>no prefill</source>
        <translation>프리필 없음</translation>
    </message>
    <message>
        <source>slowed {factor}×</source>
        <translation>{factor}배 느리게</translation>
    </message>
    <message>
        <source>playback</source>
        <translation>재생</translation>
    </message>
    <message>
        <source>rerun</source>
        <translation>재실행</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>차이</translation>
    </message>
    <message>
        <source>once more</source>
        <translation>한 번 더</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>평소대로</translation>
    </message>
    <message>
        <source>Probability difference</source>
        <translation>확률의 차</translation>
    </message>
    <message>
        <source>prompt from the cache</source>
        <translation>캐시에서 온 프롬프트</translation>
    </message>
    <message>
        <source>with the draft model</source>
        <translation>드래프트 모델과 함께</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>배치 크기</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>기록 안 됨</translation>
    </message>
    <message>
        <source>First different probability</source>
        <translation>처음 다른 확률</translation>
    </message>
    <message>
        <source>prefill step of {count}</source>
        <translation>프리필 단위 {count}</translation>
    </message>
    <message>
        <source>with prompt lookup</source>
        <translation>prompt lookup과 함께</translation>
    </message>
    <message>
        <source>KV cache of 8 bits</source>
        <translation>8비트 KV 캐시</translation>
    </message>
    <message>
        <source>prefill in two parts</source>
        <translation>두 번에 나눠 읽은 프롬프트</translation>
    </message>
    <message>
        <source>the same tokens: {ways}</source>
        <translation>같은 토큰: {ways}</translation>
    </message>
    <message>
        <source>{way}: different tokens from token {place} on (Δp = {apart})</source>
        <translation>{way}: 토큰 {place}부터 다름, 확률 차 {apart}</translation>
    </message>
    <message>
        <source>TF32 allowed</source>
        <translation>TF32 허용</translation>
    </message>
    <message>
        <source>TF32 off</source>
        <translation>TF32 꺼짐</translation>
    </message>
    <message numerus="yes">
        <source>{count} of %n variants change the tokens: the first is {variant}, from token {place} on</source>
        <comment>{count} of %n variants change the tokens: the first is {variant}, from token {place} on</comment>
        <translation>
            <numerusform>갈래 %n개 중 {count}개에서 토큰이 달라집니다. 가장 먼저 달라지는 갈래는 {variant}, 토큰 {place}부터입니다</numerusform>
        </translation>
    </message>
    <message>
        <source>batch of {count}</source>
        <translation>{count}개 배치</translation>
    </message>
    <message>
        <source>the same probabilities to the last bit</source>
        <translation>마지막 비트까지 같은 확률</translation>
    </message>
    <message>
        <source>the same tokens</source>
        <translation>같은 토큰</translation>
    </message>
    <message>
        <source>no setting gives {what}: a repeated run differs</source>
        <translation>{what}의 조건 없음: 같은 설정으로 다시 실행해도 다름</translation>
    </message>
    <message>
        <source>for {what}, {settings}</source>
        <translation>{what}의 조건: {settings}</translation>
    </message>
    <message>
        <source>keep unchanged: {names}</source>
        <translation>다음을 유지: {names}</translation>
    </message>
    <message>
        <source>no setting needs to be fixed</source>
        <translation>고정할 설정 없음</translation>
    </message>
    <message>
        <source>compute in {dtype}</source>
        <translation>{dtype}로 계산</translation>
    </message>
    <message>
        <source>compute in {dtype} and keep unchanged: {names}</source>
        <translation>{dtype}로 계산하고 다음을 유지: {names}</translation>
    </message>
    <message>
        <source>Compute dtype</source>
        <translation>계산 dtype</translation>
    </message>
    <message>
        <source>Fixed for the same tokens</source>
        <translation>같은 토큰을 위해 고정</translation>
    </message>
    <message>
        <source>Fixed for the same probabilities</source>
        <translation>같은 확률을 위해 고정</translation>
    </message>
    <message>
        <source>Smallest sets</source>
        <translation>최소 집합</translation>
    </message>
    <message>
        <source>impossible: a repeated run differs</source>
        <translation>불가능: 다시 실행해도 다름</translation>
    </message>
    <message>
        <source>Which settings that should only change the speed also change the tokens, and how close are the probabilities?</source>
        <translation>속도만 바꿔야 하는 설정이 같은 토큰을 내는지, 아니라면 얼마나 아슬아슬했는지 봅니다.</translation>
    </message>
    <message numerus="yes">
        <source>none: the tokens are the same in all %n variants</source>
        <comment>none: the tokens are the same in %n variant</comment>
        <translation>
            <numerusform>없습니다. 갈래 %n개의 토큰이 모두 같습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>Which settings change the tokens?</source>
        <translation>어떤 설정이 토큰을 바꾸나요?</translation>
    </message>
    <message>
        <source>earlier run</source>
        <translation>이전 실행</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>평균</translation>
    </message>
    <message>
        <source>end</source>
        <translation>끝</translation>
    </message>
    <message>
        <source>{count} from the cache</source>
        <translation>캐시에서 {count}개</translation>
    </message>
    <message>
        <source>Perplexity ratio</source>
        <translation>퍼플렉시티 비율</translation>
    </message>
    <message>
        <source>Full cache</source>
        <translation>전체 캐시</translation>
    </message>
    <message>
        <source>{name} (first {tokens} tokens)</source>
        <translation>{name} (처음 토큰 {tokens}개)</translation>
    </message>
    <message>
        <source>KV caches</source>
        <translation>KV 캐시</translation>
    </message>
    <message>
        <source>Planted facts</source>
        <translation>심은 사실</translation>
    </message>
    <message>
        <source>First break</source>
        <translation>첫 붕괴</translation>
    </message>
    <message>
        <source>Bytes/token</source>
        <translation>바이트/토큰</translation>
    </message>
    <message>
        <source>Memory saved</source>
        <translation>메모리 절약</translation>
    </message>
    <message>
        <source>token {number}</source>
        <translation>토큰 {number}</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>깊이</translation>
    </message>
    <message>
        <source>Distance (tokens)</source>
        <translation>거리(토큰)</translation>
    </message>
    <message>
        <source>{speed} tok/s</source>
        <translation>{speed} 토큰/초</translation>
    </message>
    <message numerus="yes">
        <source>tokens {which}</source>
        <comment>token {which}</comment>
        <translation>
            <numerusform>토큰 {which}</numerusform>
        </translation>
    </message>
    <message>
        <source>{own} ({of_all} of the answer)</source>
        <translation>{own} (답변의 {of_all})</translation>
    </message>
    <message>
        <source>Last run</source>
        <translation>지난 실행</translation>
    </message>
    <message>
        <source>The tokens of the last answer</source>
        <translation>마지막 답변의 토큰</translation>
    </message>
    <message>
        <source>Stop Strings and Characters, Step by Step</source>
        <translation>중지 문자열과 글자, 단계별로 보기</translation>
    </message>
    <message>
        <source>Stop strings and characters, step by step</source>
        <translation>중지 문자열과 글자, 단계별로 보기</translation>
    </message>
    <message>
        <source>One per line; \n is a newline. Runs don&apos;t change</source>
        <translation>한 줄에 하나씩. \n은 줄바꿈입니다. 고쳐도 실행은 바뀌지 않습니다</translation>
    </message>
    <message>
        <source>The arrow keys move between steps</source>
        <translation>화살표 키로 단계를 옮겨 갑니다</translation>
    </message>
    <message>
        <source>Next &amp;held back</source>
        <translation>다음 보류(&amp;H)</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>단계</translation>
    </message>
    <message>
        <source>Prompt sets ({kinds});;All files (*)</source>
        <translation>프롬프트 세트 ({kinds});;모든 파일 (*)</translation>
    </message>
    <message>
        <source>Drop a CSV, JSONL or JSON file here, or a folder of texts. A column “prompt” is needed; a column “expected” allows checks.</source>
        <translation>CSV, JSONL, JSON 파일이나 텍스트 폴더를 여기에 놓으세요. “prompt” 열이 필요하고, “expected” 열이 있으면 검사할 수 있습니다.</translation>
    </message>
    <message>
        <source>Unchanged, without the chat template</source>
        <translation>채팅 템플릿 없이 그대로</translation>
    </message>
    <message>
        <source>The rows of the set. The one under the cursor is previewed below</source>
        <translation>세트의 행. 커서가 놓인 행을 아래에서 미리 봅니다</translation>
    </message>
    <message>
        <source>The value that the check compares the answer with</source>
        <translation>검사에서 답과 견줄 값</translation>
    </message>
    <message>
        <source>{column} is replaced by the row&apos;s value</source>
        <translation>{column} 자리에는 행의 그 열 값이 들어갑니다</translation>
    </message>
    <message>
        <source>The system prompt of each row; can be empty</source>
        <translation>행마다의 시스템 프롬프트. 비워 두어도 됩니다</translation>
    </message>
    <message>
        <source>Few-shot examples</source>
        <translation>퓨샷 예시</translation>
    </message>
    <message>
        <source>Number of examples before each prompt</source>
        <translation>각 프롬프트 앞에 넣을 예시 수</translation>
    </message>
    <message>
        <source>First rows</source>
        <translation>처음 행들</translation>
    </message>
    <message>
        <source>Seed for a random choice of examples, or the first rows of the file</source>
        <translation>예시를 무작위로 고르는 시드, 또는 파일의 처음 행들</translation>
    </message>
    <message>
        <source>Seed of the examples</source>
        <translation>예시의 시드</translation>
    </message>
    <message>
        <source>The prompt of the row under the cursor, with the chat template applied</source>
        <translation>커서가 놓인 행의 프롬프트에 채팅 템플릿을 적용한 것</translation>
    </message>
    <message>
        <source>Evaluate the first rows of a bundled set</source>
        <translation>함께 제공되는 모음의 처음 몇 행을 평가합니다</translation>
    </message>
    <message>
        <source>Remove the examples</source>
        <translation>예시 제거</translation>
    </message>
    <message>
        <source>Choice Columns</source>
        <translation>선택지 열</translation>
    </message>
    <message>
        <source>The column with the question</source>
        <translation>질문이 있는 열</translation>
    </message>
    <message>
        <source>One column with a list of choices, or several columns with one choice each, in order</source>
        <translation>선택지 목록이 있는 열 하나, 또는 선택지가 하나씩 있는 여러 열(순서대로)</translation>
    </message>
    <message>
        <source>The column that names the right choice</source>
        <translation>맞는 선택지를 나타내는 열</translation>
    </message>
    <message>
        <source>How the column names the right choice</source>
        <translation>이 열이 맞는 선택지를 나타내는 방식</translation>
    </message>
    <message>
        <source>The answer is</source>
        <translation>정답의 형식</translation>
    </message>
    <message>
        <source>The first rows with these columns; ✓ is the right choice</source>
        <translation>이 열로 읽은 처음 몇 행. ✓는 맞는 선택지입니다</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>미리 보기</translation>
    </message>
    <message>
        <source>Convert the set, and score its choices by log-likelihood</source>
        <translation>세트를 변환하고 선택지를 로그 가능도로 채점</translation>
    </message>
    <message>
        <source>Use Columns</source>
        <translation>이 열 사용</translation>
    </message>
    <message>
        <source>Leave the set unchanged (Esc)</source>
        <translation>세트를 그대로 두기(Esc)</translation>
    </message>
    <message>
        <source>A File of Examples</source>
        <translation>예시 파일</translation>
    </message>
    <message>
        <source>Insert:</source>
        <translation>넣기:</translation>
    </message>
    <message>
        <source>Insert this column at the cursor</source>
        <translation>이 열을 커서 자리에 넣습니다</translation>
    </message>
    <message>
        <source>Open a Prompt Set</source>
        <translation>프롬프트 세트 열기</translation>
    </message>
    <message>
        <source>A Folder of Texts</source>
        <translation>텍스트 폴더</translation>
    </message>
    <message>
        <source>Download a file of a known test from the Hugging Face hub</source>
        <translation>Hugging Face 허브에서 알려진 시험의 파일을 다운로드</translation>
    </message>
    <message>
        <source>Known Tests…</source>
        <translation>알려진 시험…</translation>
    </message>
    <message>
        <source>Choose the columns of prompt, choices and answer</source>
        <translation>프롬프트, 선택지, 정답의 열을 선택</translation>
    </message>
    <message>
        <source>Choice Columns…</source>
        <translation>선택지 열…</translation>
    </message>
    <message>
        <source>Choose the file of the examples, such as the training split of a test</source>
        <translation>예시 파일(예: 시험의 학습 분할)을 선택합니다</translation>
    </message>
    <message>
        <source>Add Examples…</source>
        <translation>예시 추가…</translation>
    </message>
    <message>
        <source>Open CSV, TSV, JSONL, JSON, a text file with one prompt per line, or a session</source>
        <translation>CSV, TSV, JSONL, JSON, 줄마다 프롬프트가 있는 텍스트 파일 또는 세션을 엽니다</translation>
    </message>
    <message>
        <source>Open a folder of text files as a set</source>
        <translation>텍스트 파일 폴더를 세트로 엽니다</translation>
    </message>
    <message>
        <source>Bundled prompt sets</source>
        <translation>프로그램에 들어 있는 프롬프트 세트</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>세트</translation>
    </message>
    <message>
        <source>Variants and check</source>
        <translation>갈래와 검사</translation>
    </message>
    <message>
        <source>Step {step} of {all}</source>
        <translation>단계 {step} / {all}</translation>
    </message>
    <message>
        <source>The stop string that may have begun; ■ if it is complete</source>
        <translation>시작했을 수 있는 것. 완성되면 ■</translation>
    </message>
    <message>
        <source>The characters that the token completes</source>
        <translation>이 토큰이 완성한 글자</translation>
    </message>
    <message>
        <source>stop string: {text}</source>
        <translation>중지 문자열: {text}</translation>
    </message>
    <message>
        <source>held back: {text}</source>
        <translation>붙잡아 둔 글: {text}</translation>
    </message>
    <message>
        <source>bytes waiting: {bytes}</source>
        <translation>기다리는 바이트: {bytes}</translation>
    </message>
    <message>
        <source>Completes</source>
        <translation>완성한 글자</translation>
    </message>
    <message>
        <source>Your own text, split into tokens by the model&apos;s tokenizer</source>
        <translation>직접 쓴 글을 모델의 토크나이저가 토큰으로 나눈 것</translation>
    </message>
    <message>
        <source>Source of the tokens</source>
        <translation>토큰의 출처</translation>
    </message>
    <message>
        <source>A text to split into tokens</source>
        <translation>토큰으로 나눌 글</translation>
    </message>
    <message>
        <source>Run Experiment</source>
        <translation>실험 실행</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>비교</translation>
    </message>
    <message>
        <source>Measured ÷ predicted</source>
        <translation>측정 ÷ 예측</translation>
    </message>
    <message>
        <source>This step needs figures of step {numbers}. Run it first, or wait until it has ended.</source>
        <translation>이 단계에는 {numbers}단계의 측정값이 필요합니다. 먼저 실행하거나 끝날 때까지 기다리세요.</translation>
    </message>
    <message>
        <source>Not judged: the measurement was disturbed. Run it again, or continue.</source>
        <translation>판정하지 않음: 측정이 방해받았습니다. 다시 실행하거나 계속하세요.</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>맞았습니다</translation>
    </message>
    <message>
        <source>Different from your prediction</source>
        <translation>예측과 다릅니다</translation>
    </message>
    <message>
        <source>{done} of {count} runs</source>
        <translation>실행 {count}개 중 {done}개</translation>
    </message>
    <message>
        <source>Compare Again</source>
        <translation>다시 비교</translation>
    </message>
    <message>
        <source>Show the list of lessons; your progress is saved</source>
        <translation>수업 목록을 보여 줍니다. 진도는 저장됩니다</translation>
    </message>
    <message>
        <source>Close the lessons, and restore your prompt, settings and session</source>
        <translation>수업을 닫고 프롬프트, 설정, 세션을 되돌립니다</translation>
    </message>
    <message>
        <source>Close lessons</source>
        <translation>수업 닫기</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>수업</translation>
    </message>
    <message>
        <source>The text of this step</source>
        <translation>이 단계의 내용</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>이전 단계</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>다음 단계</translation>
    </message>
    <message>
        <source>Open a lesson from a folder</source>
        <translation>폴더에서 수업을 엽니다</translation>
    </message>
    <message>
        <source>Save a template for a lesson of your own</source>
        <translation>직접 만들 수업의 견본을 저장합니다</translation>
    </message>
    <message>
        <source>Save Template…</source>
        <translation>견본 저장…</translation>
    </message>
    <message>
        <source>Choose the folder with the answers of a class, and save them as a CSV sheet</source>
        <translation>한 반의 답이 있는 폴더를 골라 CSV 표로 저장합니다</translation>
    </message>
    <message>
        <source>Class Sheet…</source>
        <translation>반 전체 표…</translation>
    </message>
    <message>
        <source>For teachers</source>
        <translation>선생님을 위해</translation>
    </message>
    <message>
        <source>Save your predictions and figures as a file for your teacher</source>
        <translation>예측과 측정값을 선생님께 낼 파일로 저장합니다</translation>
    </message>
    <message>
        <source>Save Answers…</source>
        <translation>답 저장…</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>다시 하기</translation>
    </message>
    <message>
        <source>Step {number} of {count}</source>
        <translation>{count}단계 중 {number}단계</translation>
    </message>
    <message>
        <source>Your prediction</source>
        <translation>나의 예측</translation>
    </message>
    <message>
        <source>The text that is measured. Replace it by one of your own</source>
        <translation>측정할 텍스트. 직접 고른 텍스트로 바꿀 수 있습니다</translation>
    </message>
    <message>
        <source>Run Again</source>
        <translation>다시 실행</translation>
    </message>
    <message>
        <source>Fills in the prompt and the settings of this step, and sends it</source>
        <translation>이 단계의 프롬프트와 설정을 채우고 보냅니다</translation>
    </message>
    <message>
        <source>Creates a quantized copy of the model, and measures both on this text</source>
        <translation>모델의 양자화된 복사본을 만들고 이 텍스트로 둘을 측정합니다</translation>
    </message>
    <message>
        <source>Stop the comparison, and delete the copy</source>
        <translation>비교를 중지하고 사본을 지웁니다</translation>
    </message>
    <message>
        <source>In progress…</source>
        <translation>진행 중…</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>측정값</translation>
    </message>
    <message>
        <source>Next step at which text is held back</source>
        <translation>글이 보류되는 다음 단계</translation>
    </message>
    <message>
        <source>Stop strings, one per line</source>
        <translation>중지 문자열, 한 줄에 하나씩</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>출력</translation>
    </message>
    <message>
        <source>Released text, then text that is held back</source>
        <translation>내보낸 글과, 뒤이어 보류된 글</translation>
    </message>
    <message>
        <source>No output</source>
        <translation>출력 없음</translation>
    </message>
    <message>
        <source>Generated, but not released yet</source>
        <translation>생성했지만 아직 내보내지 않음</translation>
    </message>
    <message>
        <source>Released</source>
        <translation>내보냄</translation>
    </message>
    <message>
        <source>Text that can be shown now</source>
        <translation>지금 보여 줄 수 있는 글</translation>
    </message>
    <message>
        <source>The reply ends here: {text} did not become a stop string and is released.</source>
        <translation>답이 여기서 끝납니다. {text}: 중지 문자열이 되지 않아 내보냅니다.</translation>
    </message>
    <message>
        <source>{text} is released.</source>
        <translation>{text}: 내보냅니다.</translation>
    </message>
    <message numerus="yes">
        <source>{bytes} wait for the rest of a character.</source>
        <comment>{bytes} waits for the rest of a character.</comment>
        <translation>
            <numerusform>{bytes}: 문자의 나머지를 기다립니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Released: {text}</source>
        <translation>내보냄: {text}</translation>
    </message>
    <message>
        <source>The stop string {text} is complete: the answer ends before it.</source>
        <translation>중지 문자열 {text}이(가) 완성되어, 답변은 그 앞에서 끝납니다.</translation>
    </message>
    <message>
        <source>{text} is held back: a marker of the reasoning may have begun.</source>
        <translation>{text}을(를) 붙잡아 둡니다. 추론 표시가 시작되었을 수 있습니다.</translation>
    </message>
    <message>
        <source>{text} is held back: {strings} may have begun.</source>
        <translation>{text}을(를) 붙잡아 둡니다. {strings}이(가) 시작되었을 수 있습니다.</translation>
    </message>
    <message>
        <source>Token {token} (id {id}) completes {text}.</source>
        <translation>토큰 {token}(ID {id})에서 {text}이(가) 완성됩니다.</translation>
    </message>
    <message>
        <source>Token {token} (id {id}) completes no character.</source>
        <translation>토큰 {token}(ID {id})에서 완성되는 글자가 없습니다.</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>특수 토큰</translation>
    </message>
    <message>
        <source>template</source>
        <translation>템플릿</translation>
    </message>
    <message>
        <source>system prompt</source>
        <translation>시스템 프롬프트</translation>
    </message>
    <message>
        <source>your text</source>
        <translation>내가 쓴 글</translation>
    </message>
    <message>
        <source>the model&apos;s text</source>
        <translation>모델이 쓴 글</translation>
    </message>
    <message>
        <source>Ruled out</source>
        <translation>배제됨</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>출처</translation>
    </message>
    <message>
        <source>Probability of each token, after penalties, before temperature and truncation</source>
        <translation>각 토큰의 확률. 페널티 적용 후, 온도와 절단 적용 전</translation>
    </message>
    <message>
        <source>Surprisal: −log₂ of the token&apos;s probability. 0 bits is certain, 1 bit is 50 %</source>
        <translation>놀라움: 토큰 확률의 −log₂. 0비트는 확실함, 1비트는 50 %</translation>
    </message>
    <message>
        <source>Entropy of the next-token distribution. 0 bits is certain, n bits are 2ⁿ equally likely tokens</source>
        <translation>다음 토큰 분포의 엔트로피. 0비트는 확실함, n비트는 똑같이 그럴듯한 토큰 2ⁿ개</translation>
    </message>
    <message>
        <source>Ruled out: probability removed by the output format, after penalties, before temperature</source>
        <translation>배제됨: 출력 형식이 없앤 확률. 페널티 적용 후, 온도 적용 전</translation>
    </message>
    <message>
        <source>Inter-token latency in milliseconds</source>
        <translation>토큰 간 지연 시간(밀리초)</translation>
    </message>
    <message>
        <source>Origin: the model, an accepted draft, or you</source>
        <translation>출처: 모델, 드래프트 모델(모델이 받아들임), 또는 사용자</translation>
    </message>
    <message>
        <source>No value, only the borders of tokens</source>
        <translation>토큰의 시작과 끝만</translation>
    </message>
    <message>
        <source>draft, accepted</source>
        <translation>드래프트, 수락됨</translation>
    </message>
    <message>
        <source>unlikely</source>
        <translation>가능성 낮음</translation>
    </message>
    <message>
        <source>certain</source>
        <translation>확실함</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>예상대로</translation>
    </message>
    <message>
        <source>surprising</source>
        <translation>뜻밖</translation>
    </message>
    <message>
        <source>slow</source>
        <translation>느림</translation>
    </message>
    <message>
        <source>No alternatives recorded: turn on “Record alternatives”</source>
        <translation>후보를 기록하지 않았습니다. “후보 기록”을 켜세요</translation>
    </message>
    <message>
        <source>draft, rejected</source>
        <translation>앞에서 거절된 드래프트</translation>
    </message>
    <message>
        <source>Scale: from faint ({faint}) to strong ({strong})</source>
        <translation>범례: 옅은 색({faint})에서 짙은 색({strong})까지</translation>
    </message>
    <message>
        <source>nothing ruled out</source>
        <translation>배제 없음</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>전부</translation>
    </message>
    <message>
        <source>one option</source>
        <translation>선택지 하나</translation>
    </message>
    <message>
        <source>many options</source>
        <translation>선택지 많음</translation>
    </message>
    <message>
        <source>fast</source>
        <translation>빠름</translation>
    </message>
    <message>
        <source>No latencies yet</source>
        <translation>아직 시간 없음</translation>
    </message>
    <message>
        <source>Each token has its own background</source>
        <translation>토큰마다 배경이 따로 있습니다</translation>
    </message>
    <message>
        <source>Scale: the model&apos;s tokens are plain, accepted draft tokens have a bar below, yours one above and below, and a corner is marked where drafts were rejected</source>
        <translation>범례: 모델의 토큰은 무늬 없음, 수락된 드래프트 토큰은 아래에 줄, 사용자가 넣은 토큰은 위아래에 줄, 드래프트가 거절된 곳은 모서리에 표시</translation>
    </message>
    <message>
        <source>Scale: {words}</source>
        <translation>범례: {words}</translation>
    </message>
    <message>
        <source>The conversation; new text is added at its end</source>
        <translation>대화. 새 글은 끝에 더해집니다</translation>
    </message>
    <message>
        <source>Token {number} of {count}: {details}</source>
        <translation>토큰 {count}개 중 {number}번째: {details}</translation>
    </message>
    <message>
        <source>Tokens of the exact prompt</source>
        <translation>실제 프롬프트의 토큰</translation>
    </message>
    <message>
        <source>inserted by the reasoning budget</source>
        <translation>추론 예산이 넣음</translation>
    </message>
    <message>
        <source>probability {chance}</source>
        <translation>확률 {chance}</translation>
    </message>
    <message>
        <source>latency {time}</source>
        <translation>지연 {time}</translation>
    </message>
    <message>
        <source>in place of the rejected draft “{token}”</source>
        <translation>거절된 드래프트 ‘{token}’ 대신</translation>
    </message>
    <message>
        <source>forced by the output format</source>
        <translation>형식이 강제함</translation>
    </message>
    <message>
        <source>in place of “{token}”, which the output format ruled out</source>
        <translation>형식이 금지한 “{token}” 대신</translation>
    </message>
    <message>
        <source>a token without text</source>
        <translation>글이 없는 토큰</translation>
    </message>
    <message>
        <source>part {number} of {count} of “{text}”</source>
        <translation>“{text}” {count}조각 중 {number}번째</translation>
    </message>
    <message>
        <source>Show or hide the reasoning</source>
        <translation>추론 보이기 또는 숨기기</translation>
    </message>
    <message>
        <source>Copy, edit and more</source>
        <translation>복사, 편집 등</translation>
    </message>
    <message>
        <source>Show another branch of this turn</source>
        <translation>다른 가지 보기: 여기서 나온 다른 말</translation>
    </message>
    <message>
        <source>Copy Turn</source>
        <translation>차례 복사</translation>
    </message>
    <message>
        <source>Edit Turn</source>
        <translation>차례 편집</translation>
    </message>
    <message>
        <source>Resend Turn</source>
        <translation>차례 다시 보내기</translation>
    </message>
    <message>
        <source>Use These Settings</source>
        <translation>이 설정 사용</translation>
    </message>
    <message>
        <source>Compare Branches…</source>
        <translation>가지 비교…</translation>
    </message>
    <message>
        <source>Delete Turn</source>
        <translation>차례 삭제</translation>
    </message>
    <message>
        <source>Edited by hand</source>
        <translation>직접 편집함</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>환영 화면</translation>
    </message>
    <message>
        <source>Open a model…</source>
        <translation>모델 열기…</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>모델 열기</translation>
    </message>
    <message>
        <source>{model} is open</source>
        <translation>{model} 모델이 열렸습니다</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>열린 모델 없음</translation>
    </message>
    <message>
        <source>Try one of these, or write your own.</source>
        <translation>이 중 하나를 써 보거나 직접 쓰세요.</translation>
    </message>
    <message>
        <source>Another run is active. A prompt that you write here is queued.</source>
        <translation>다른 실행이 진행 중입니다. 여기에 쓰는 프롬프트는 대기열에 들어갑니다.</translation>
    </message>
    <message>
        <source>Try one of these, or write your own. Alternatives are recorded; see the Token tab.</source>
        <translation>하나를 고르거나 직접 쓰세요. 대안도 기록되며, 토큰 탭에서 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>Prompts to try, shown while the conversation is empty</source>
        <translation>아직 대화가 없을 때 써 볼 만한 프롬프트</translation>
    </message>
    <message>
        <source>Set the controls to their defaults</source>
        <translation>생성 옵션을 기본값으로 되돌립니다</translation>
    </message>
    <message>
        <source>Reset controls</source>
        <translation>옵션 초기화</translation>
    </message>
    <message>
        <source>Choose a model on this computer or on the Hub</source>
        <translation>이 컴퓨터나 허브에서 모델을 고릅니다</translation>
    </message>
    <message>
        <source>Open the small model that is bundled with Sluice; no download needed</source>
        <translation>Sluice에 들어 있는 작은 모델: 내려받을 것이 없습니다</translation>
    </message>
    <message>
        <source>{model} continues your text.</source>
        <translation>{model} 모델이 쓴 글을 이어 갑니다.</translation>
    </message>
    <message>
        <source>You can send a prompt in a moment.</source>
        <translation>잠시 뒤에 물어볼 수 있습니다.</translation>
    </message>
    <message>
        <source>Open a folder with an MLX model. It runs on this computer.</source>
        <translation>MLX 모델이 든 폴더를 열면 이 컴퓨터에서 바로 실행됩니다.</translation>
    </message>
    <message>
        <source>“{model}” could not be opened. Choose another model, or try again when it is available.</source>
        <translation>“{model}” 모델을 열지 못했습니다. 다른 모델을 고르거나, 다시 있게 되면 같은 것을 고르세요.</translation>
    </message>
    <message>
        <source>This session uses {settings}.</source>
        <translation>이 세션의 설정: {settings}.</translation>
    </message>
    <message>
        <source>Sends: {prompt}. {shows}</source>
        <translation>보낼 프롬프트: {prompt}. {shows}</translation>
    </message>
    <message>
        <source>The model is reasoning.</source>
        <translation>모델이 추론하고 있습니다.</translation>
    </message>
    <message>
        <source>The model calls a tool.</source>
        <translation>모델이 도구를 호출합니다.</translation>
    </message>
    <message>
        <source>The run in the other session has ended.</source>
        <translation>다른 세션의 실행이 끝났습니다.</translation>
    </message>
    <message>
        <source>{name} is open.</source>
        <translation>{name} 모델이 열렸습니다.</translation>
    </message>
    <message>
        <source>Finish reason: {reason}.</source>
        <translation>종료 이유: {reason}.</translation>
    </message>
    <message>
        <source>Open a Link</source>
        <translation>링크 열기</translation>
    </message>
    <message>
        <source>This address is too long to be shown, so it is not opened.</source>
        <translation>주소가 너무 길어 표시할 수 없으므로 열지 않습니다.</translation>
    </message>
    <message>
        <source>Open this address in the browser?</source>
        <translation>이 주소를 브라우저에서 열까요?</translation>
    </message>
    <message>
        <source>Report a Problem</source>
        <translation>문제 신고</translation>
    </message>
    <message>
        <source>This is on the clipboard now. Nothing that you or a model wrote is in it. Paste it into a report.</source>
        <translation>아래 내용을 클립보드에 복사했습니다. 사용자나 모델이 쓴 글은 들어 있지 않습니다. 신고 글에 붙여넣으세요.</translation>
    </message>
    <message>
        <source>{report}

Open {address} in the browser?</source>
        <translation>{report}

브라우저에서 {address} 페이지를 열까요?</translation>
    </message>
    <message>
        <source>A native playground for local language models, on mlx-lm.</source>
        <translation>mlx-lm 기반의 로컬 언어 모델 네이티브 플레이그라운드입니다.</translation>
    </message>
    <message>
        <source>(nothing)</source>
        <translation>(내용 없음)</translation>
    </message>
    <message>
        <source>at token {place}</source>
        <translation>토큰 {place}에서</translation>
    </message>
    <message>
        <source>at token {place}: “{chosen}”</source>
        <translation>토큰 {place}에서 “{chosen}”</translation>
    </message>
    <message>
        <source>at token {place}: “{chosen}” instead of “{instead}”</source>
        <translation>토큰 {place}에서 “{instead}” 대신 “{chosen}”</translation>
    </message>
    <message>
        <source>The first {same} of {length} tokens are cached, but this model&apos;s KV cache can&apos;t be trimmed: all {length} will be processed.</source>
        <translation>토큰 {length}개 중 앞의 {same}개가 캐시에 있지만 이 모델의 KV 캐시는 잘라 낼 수 없어, {length}개를 모두 처리합니다.</translation>
    </message>
    <message>
        <source>The KV cache is off</source>
        <translation>KV 캐시가 꺼져 있습니다</translation>
    </message>
    <message>
        <source>KV cache reuse is off</source>
        <translation>재사용이 꺼져 있습니다</translation>
    </message>
    <message>
        <source>The cache is empty</source>
        <translation>아직 캐시에 아무것도 없습니다</translation>
    </message>
    <message>
        <source>The cache was made with other settings</source>
        <translation>캐시가 다른 설정으로 만들어졌습니다</translation>
    </message>
    <message>
        <source>The first {same} of {length} tokens are cached: {new} will be processed.</source>
        <translation>토큰 {length}개 중 처음 {same}개가 캐시되어 있습니다. {new}개를 처리합니다.</translation>
    </message>
    <message>
        <source>Only the first of {length} tokens is cached: {new} will be processed.</source>
        <translation>토큰 {length}개 중 첫 번째가 캐시되어 있습니다. {new}개를 처리합니다.</translation>
    </message>
    <message>
        <source>Time to first token: {kept} with the cache, {fresh} without (n = 1 each); {texts}.</source>
        <translation>첫 토큰까지의 시간: 캐시 사용 {kept}, 미사용 {fresh} (각 n = 1). {texts}.</translation>
    </message>
    <message>
        <source>Time to first token: {kept} with the cache, {fresh} without ({times} ×, n = 1 each); {texts}.</source>
        <translation>첫 토큰까지의 시간: 캐시 사용 {kept}, 미사용 {fresh} ({times}배, 각 n = 1). {texts}.</translation>
    </message>
    <message>
        <source>an answer was edited</source>
        <translation>답변을 고쳤음</translation>
    </message>
    <message numerus="yes">
        <source>{why}: all %n tokens will be processed.</source>
        <comment>{why}: all %n token will be processed.</comment>
        <translation>
            <numerusform>{why}: 토큰 %n개를 모두 처리합니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tokens are cached; the last one is processed again.</source>
        <comment>All %n token are cached; the last one is processed again.</comment>
        <translation>
            <numerusform>토큰 %n개가 모두 캐시되어 있습니다. 마지막 하나만 다시 처리합니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Only the first of %n tokens is cached, and this model&apos;s KV cache can&apos;t be trimmed: all %n will be processed.</source>
        <comment>Only the first of %n token is cached, and this model&apos;s KV cache can&apos;t be trimmed: all %n will be processed.</comment>
        <translation>
            <numerusform>토큰 %n개 중 첫 번째가 캐시되어 있지만 이 모델의 KV 캐시는 잘라낼 수 없습니다. %n개를 모두 처리합니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of %n tokens is cached.</source>
        <comment>None of %n token is cached.</comment>
        <translation>
            <numerusform>토큰 %n개 중 캐시된 것이 없습니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Only the first of %n tokens is cached.</source>
        <comment>Only the first of %n token is cached.</comment>
        <translation>
            <numerusform>토큰 %n개 중 첫 번째가 캐시되어 있습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The first {same} of {length} tokens are cached.</source>
        <translation>토큰 {length}개 중 앞의 {same}개가 캐시에 있습니다.</translation>
    </message>
    <message>
        <source>another conversation or branch continued differently</source>
        <translation>다른 대화나 가지가 다르게 이어졌음</translation>
    </message>
    <message>
        <source>the system prompt was changed</source>
        <translation>시스템 프롬프트가 바뀌었습니다</translation>
    </message>
    <message>
        <source>your text was changed</source>
        <translation>그 자리의 사용자 글이 바뀌었습니다</translation>
    </message>
    <message>
        <source>{again} tokens of earlier turns will be prefilled again.</source>
        <translation>앞선 차례의 토큰 {again}개를 다시 프리필합니다.</translation>
    </message>
    <message>
        <source>{again} tokens of earlier turns will be prefilled again, which takes about {time}.</source>
        <translation>앞선 차례의 토큰 {again}개를 다시 프리필하며, 약 {time} 걸립니다.</translation>
    </message>
    <message>
        <source>Cause: {reason}.</source>
        <translation>원인: {reason}.</translation>
    </message>
    <message>
        <source>Line {number} of the template writes the difference: “{text}”.</source>
        <translation>템플릿의 {number}행이 달라진 글을 씁니다: “{text}”.</translation>
    </message>
    <message>
        <source>the template removes the reasoning</source>
        <translation>템플릿이 추론을 뺌</translation>
    </message>
    <message>
        <source>the answer is tokenized differently</source>
        <translation>답변이 다르게 토큰화됨</translation>
    </message>
    <message>
        <source>the template changed</source>
        <translation>템플릿이 바뀜</translation>
    </message>
    <message>
        <source>The template argument {name} = {value} avoids this.</source>
        <translation>템플릿 인수 {name} = {value}이면 이를 피합니다.</translation>
    </message>
    <message numerus="yes">
        <source>{reused} of {whole} tokens were cached, %n were processed.</source>
        <comment>{reused} of {whole} tokens were cached, %n was processed.</comment>
        <translation>
            <numerusform>토큰 {whole}개 중 {reused}개는 캐시에 있었고 %n개를 처리했습니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of {whole} tokens were processed.</source>
        <comment>%n of {whole} tokens was processed.</comment>
        <translation>
            <numerusform>토큰 {whole}개 중 %n개를 처리했습니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tokens were processed: {why}.</source>
        <comment>%n token was processed: {why}.</comment>
        <translation>
            <numerusform>토큰 %n개를 모두 처리했습니다: {why}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tokens were processed.</source>
        <comment>%n token was processed.</comment>
        <translation>
            <numerusform>토큰 %n개를 모두 처리했습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The cached prefix is from “{title}”.</source>
        <translation>캐시된 앞부분은 ‘{title}’의 것입니다.</translation>
    </message>
    <message>
        <source>The cached prefix is from another conversation.</source>
        <translation>캐시된 앞부분은 다른 대화의 것입니다.</translation>
    </message>
    <message>
        <source>The rerun without cache failed: {what}</source>
        <translation>캐시 없는 재실행이 실패했습니다: {what}</translation>
    </message>
    <message>
        <source>The rerun without cache was stopped before its first token.</source>
        <translation>캐시 없는 재실행이 첫 토큰 전에 중지되었습니다.</translation>
    </message>
    <message>
        <source>the texts differ from token {place} on</source>
        <translation>두 글은 토큰 {place}에서 갈라집니다</translation>
    </message>
    <message>
        <source>the text is identical up to token {place}, where you stopped it</source>
        <translation>중지한 자리인 토큰 {place}까지 글이 같습니다</translation>
    </message>
    <message>
        <source>the text is identical</source>
        <translation>글이 같습니다</translation>
    </message>
    <message>
        <source>one text is longer than the other</source>
        <translation>한쪽 글이 더 깁니다</translation>
    </message>
    <message>
        <source>Token {place} differs: {cached} in the cache, {new} in the prompt ({why}).</source>
        <translation>토큰 {place}이(가) 다릅니다: 캐시 {cached}, 프롬프트 {new} ({why}).</translation>
    </message>
    <message>
        <source>the token {id}</source>
        <translation>토큰 {id}</translation>
    </message>
    <message>
        <source>Your prompt</source>
        <translation>여기에 프롬프트</translation>
    </message>
    <message>
        <source>There is no code without a model.</source>
        <translation>모델이 없으면 코드도 없습니다.</translation>
    </message>
    <message>
        <source>The code needs mlx-lm on this computer, but this model runs on a server.</source>
        <translation>코드는 이 컴퓨터의 mlx-lm을 위한 것인데, 이 모델은 서버에서 실행됩니다.</translation>
    </message>
    <message>
        <source>Open the model on this computer to get its code.</source>
        <translation>코드를 보려면 이 컴퓨터에서 모델을 여세요.</translation>
    </message>
    <message>
        <source>Save the Script</source>
        <translation>스크립트 저장</translation>
    </message>
    <message>
        <source>Save the Template</source>
        <translation>템플릿 저장</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>템플릿</translation>
    </message>
    <message>
        <source>Open {writer} to get its code.</source>
        <translation>코드를 보려면 {writer} 모델을 여세요.</translation>
    </message>
    <message>
        <source>The script of the run that Send would start.</source>
        <translation>지금 보내면 실행될 코드입니다.</translation>
    </message>
    <message>
        <source>The prompt is empty, so the script uses “{words}”.</source>
        <translation>아직 입력한 글이 없어 “{words}” 문구를 대신 넣었습니다.</translation>
    </message>
    <message>
        <source>Repeats this run on {model}.</source>
        <translation>{model} 모델로 이 실행을 그대로 다시 합니다.</translation>
    </message>
    <message numerus="yes">
        <source>You stopped this run after %n tokens; the script doesn&apos;t stop there.</source>
        <comment>You stopped this run after %n token; the script doesn&apos;t stop there.</comment>
        <translation>
            <numerusform>실행은 토큰 %n개 뒤에 중지했지만, 코드는 스스로 끝날 때까지 진행합니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Code of the Run</source>
        <translation>실행 코드</translation>
    </message>
    <message>
        <source>Code of the Next Run</source>
        <translation>다음 실행 코드</translation>
    </message>
    <message>
        <source>{time} decoding</source>
        <translation>디코딩 {time}</translation>
    </message>
    <message>
        <source>EOS token {token}</source>
        <translation>EOS 토큰 {token}</translation>
    </message>
    <message>
        <source>EOS token</source>
        <translation>EOS 토큰</translation>
    </message>
    <message>
        <source>EOS token {token}, probability {chance}</source>
        <translation>EOS 토큰 {token}, 확률 {chance}</translation>
    </message>
    <message>
        <source>EOS token, probability {chance}</source>
        <translation>EOS 토큰, 확률 {chance}</translation>
    </message>
    <message>
        <source>finish reason from the server: {reason}</source>
        <translation>서버의 보고: {reason}</translation>
    </message>
    <message>
        <source>the server gives no reason</source>
        <translation>서버가 이유를 말하지 않았습니다</translation>
    </message>
    <message>
        <source>the server&apos;s own limit</source>
        <translation>서버 자체의 제한</translation>
    </message>
    <message numerus="yes">
        <source>the limit of %n tokens</source>
        <comment>the limit of %n token</comment>
        <translation>
            <numerusform>한도 토큰 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the limit of %n tokens; EOS probability {chance}</source>
        <comment>the limit of %n token; EOS probability {chance}</comment>
        <translation>
            <numerusform>한도 토큰 %n개, EOS 확률 {chance}</numerusform>
        </translation>
    </message>
    <message>
        <source>“{text}” was generated</source>
        <translation>“{text}” 문자열이 나왔습니다</translation>
    </message>
    <message>
        <source>in {latency} before the first token</source>
        <translation>{latency} 만에, 첫 토큰 전</translation>
    </message>
    <message>
        <source>form at its end</source>
        <translation>형식 완성</translation>
    </message>
    <message>
        <source>no free tokens are left</source>
        <translation>남은 자리가 없습니다</translation>
    </message>
    <message numerus="yes">
        <source>all %n tokens are in use</source>
        <comment>all %n token are in use</comment>
        <translation>
            <numerusform>토큰 %n개를 모두 썼습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>the engine gave no reason</source>
        <translation>엔진이 이유를 알려 주지 않았습니다</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens; the server doesn&apos;t report how many were cached</source>
        <comment>%n token; the server doesn&apos;t report whether it was cached</comment>
        <translation>
            <numerusform>토큰 %n개. 캐시에서 가져온 토큰 수는 서버가 알려 주지 않습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>{reused} reused, {new} new</source>
        <translation>{reused}개 재사용, {new}개 새로 읽음</translation>
    </message>
    <message>
        <source>Saved cache</source>
        <translation>저장된 캐시</translation>
    </message>
    <message>
        <source>Interrupted: Sluice ended unexpectedly during this run</source>
        <translation>중단됨: 이 실행 도중 Sluice가 예기치 않게 종료됨</translation>
    </message>
    <message>
        <source>corrupt, so it was deleted; the prompt was prefilled again</source>
        <translation>손상되어 삭제했으며, 프롬프트를 다시 프리필했습니다</translation>
    </message>
    <message>
        <source>Sluice ended unexpectedly during this run</source>
        <translation>이 실행 도중 Sluice가 예기치 않게 종료되었습니다</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens in the whole answer</source>
        <comment>%n token in the whole answer</comment>
        <translation>
            <numerusform>답변 전체는 토큰 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>{line} This prompt is not sent with later ones.</source>
        <translation>{line} 이 프롬프트는 이후 프롬프트와 함께 보내지 않습니다.</translation>
    </message>
    <message>
        <source>incomplete JSON</source>
        <translation>불완전한 JSON</translation>
    </message>
    <message>
        <source>in {latency}, after {written}</source>
        <translation>{latency} 만에, {written} 뒤</translation>
    </message>
    <message>
        <source>no further token is valid</source>
        <translation>뒤에 올 수 있는 것이 없음</translation>
    </message>
    <message>
        <source>no valid next token, and the output format was incomplete</source>
        <translation>뒤에 올 수 있는 토큰이 없는데 형식은 완성되지 않음</translation>
    </message>
    <message>
        <source>Between pieces</source>
        <translation>조각 사이</translation>
    </message>
    <message>
        <source>Reason from mlx-lm</source>
        <translation>mlx-lm의 보고</translation>
    </message>
    <message>
        <source>Reason from the server</source>
        <translation>서버의 보고</translation>
    </message>
    <message>
        <source>Prompt lookup</source>
        <translation>Prompt lookup</translation>
    </message>
    <message>
        <source>no tokens were proposed</source>
        <translation>제안된 토큰이 없습니다</translation>
    </message>
    <message>
        <source>{speed} tok/s: {count} of {new} new tokens in {time}</source>
        <translation>{speed} 토큰/초: 새 토큰 {new}개 중 {count}개를 {time}에 처리</translation>
    </message>
    <message>
        <source>{time} after the connection</source>
        <translation>연결 후 {time}</translation>
    </message>
    <message numerus="yes">
        <source>%n pieces of text: the server reports no tokens</source>
        <comment>%n piece of text</comment>
        <translation>
            <numerusform>텍스트 %n조각: 서버가 토큰 수를 알려 주지 않습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>At the server</source>
        <translation>서버 쪽</translation>
    </message>
    <message>
        <source>Unknown. The connection is closed, but the server may generate a little longer</source>
        <translation>알 수 없음. 연결은 닫혔지만 서버가 잠시 더 생성할 수 있습니다</translation>
    </message>
    <message>
        <source>{share} accepted, {steps} tokens a step</source>
        <translation>{share} 수락, 단계당 토큰 {steps}개</translation>
    </message>
    <message numerus="yes">
        <source>the first %n bytes of a character</source>
        <comment>the first %n byte of a character</comment>
        <translation>
            <numerusform>한 글자의 앞 %n바이트</numerusform>
        </translation>
    </message>
    <message>
        <source>Incomplete character</source>
        <translation>잘린 부분</translation>
    </message>
    <message>
        <source>Sluice session</source>
        <translation>Sluice 세션</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>일반 텍스트</translation>
    </message>
    <message>
        <source>Sessions (*{suffix} *.json);;All files (*)</source>
        <translation>세션 (*{suffix} *.json);;모든 파일 (*)</translation>
    </message>
    <message>
        <source>The session was written, but its file is larger than Sluice reads: it can&apos;t be imported again.</source>
        <translation>세션을 썼지만, 파일이 Sluice가 읽는 크기보다 커서 다시 가져올 수 없습니다.</translation>
    </message>
    <message>
        <source>The session was imported: it is in the list of sessions.</source>
        <translation>세션을 가져왔습니다. 세션 목록에 있습니다.</translation>
    </message>
    <message>
        <source>There is no session to export yet.</source>
        <translation>아직 내보낼 세션이 없습니다.</translation>
    </message>
    <message>
        <source>Send a prompt first.</source>
        <translation>먼저 프롬프트를 보내세요.</translation>
    </message>
    <message>
        <source>Export the Session</source>
        <translation>세션 내보내기</translation>
    </message>
    <message numerus="yes">
        <source>%n sessions saved in {folder}.</source>
        <translation>
            <numerusform>세션 %n개를 {folder}에 저장했습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Open the session that contains the runs</source>
        <translation>실행이 담긴 세션을 엽니다</translation>
    </message>
    <message>
        <source>Experiment: {words}</source>
        <translation>실험: {words}</translation>
    </message>
    <message>
        <source>the model of the next run</source>
        <translation>다음 실행의 모델</translation>
    </message>
    <message>
        <source>All data</source>
        <translation>전체 데이터</translation>
    </message>
    <message>
        <source>One row per run</source>
        <translation>실행마다 한 줄</translation>
    </message>
    <message>
        <source>Run all variants, alternating in each round</source>
        <translation>모든 갈래를 차례로 실행</translation>
    </message>
    <message>
        <source>Save the metrics and all runs: HTML, Markdown, JSON or CSV</source>
        <translation>지표와 모든 실행을 저장합니다: HTML, Markdown, JSON, CSV</translation>
    </message>
    <message>
        <source>Quick look</source>
        <translation>빠른 확인</translation>
    </message>
    <message>
        <source>Continue this experiment. Measured rounds are kept.</source>
        <translation>이 실험을 이어 갑니다. 측정한 회차는 그대로 남습니다.</translation>
    </message>
    <message>
        <source>The sample opens the bundled demo model.</source>
        <translation>예시는 내장된 데모 모델을 엽니다.</translation>
    </message>
    <message>
        <source>The sample runs on the bundled demo model. On {model} it would take up to {duration}.</source>
        <translation>예시는 내장된 데모 모델에서 실행됩니다. {model}에서는 최대 {duration} 걸립니다.</translation>
    </message>
    <message>
        <source>The sample runs on {model}.</source>
        <translation>예시는 {model}에서 실행됩니다.</translation>
    </message>
    <message>
        <source>The sample runs on {model} and takes at most about {duration}.</source>
        <translation>예시는 {model}에서 실행되고 길어야 약 {duration} 걸립니다.</translation>
    </message>
    <message>
        <source>Measure {rounds} rounds only, if necessary with shorter answers. More rounds can be added later.</source>
        <translation>{rounds}라운드만 잽니다. 필요하면 답변을 짧게 합니다. 나중에 라운드를 더할 수 있습니다.</translation>
    </message>
    <message numerus="yes">
        <source>Run %n more rounds</source>
        <comment>Run %n more round</comment>
        <translation>
            <numerusform>%n회 더 실행</numerusform>
        </translation>
    </message>
    <message>
        <source>Export the Experiment</source>
        <translation>실험 내보내기</translation>
    </message>
    <message>
        <source>about {duration} left</source>
        <translation>약 {duration} 남음</translation>
    </message>
    <message>
        <source>Type a prompt.</source>
        <translation>프롬프트를 입력하세요.</translation>
    </message>
    <message>
        <source>From a run on {model}, with its settings.</source>
        <translation>{model} 모델의 실행에서 설정과 함께 가져왔습니다.</translation>
    </message>
    <message>
        <source>From a run on {model}, with its settings. The experiment measures {opened}, which is open now.</source>
        <translation>{model}에서 한 실행과 그 설정입니다. 실험은 지금 열린 {opened} 모델을 측정합니다.</translation>
    </message>
    <message>
        <source>Includes the earlier messages ({count}).</source>
        <translation>앞선 메시지 포함({count}개).</translation>
    </message>
    <message>
        <source>Duration unknown: this model has no runs yet. A sample measures its speed.</source>
        <translation>소요 시간을 알 수 없음: 이 모델은 아직 실행한 적이 없습니다. 예시를 실행하면 속도를 잽니다.</translation>
    </message>
    <message numerus="yes">
        <source>A quick look measures {rounds} rounds of at most %n tokens.</source>
        <translation>
            <numerusform>빠른 확인은 최대 토큰 %n개로 {rounds}라운드를 잽니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A quick look measures {rounds} rounds of at most %n tokens, in at most about {duration}.</source>
        <translation>
            <numerusform>빠른 확인은 최대 토큰 %n개로 {rounds}라운드를 재며, 길어야 약 {duration} 걸립니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Run {number} of {total}</source>
        <translation>실행 {number}/{total}</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>예열 중</translation>
    </message>
    <message>
        <source>round {number}</source>
        <translation>{number}회차</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens, {speed} tok/s</source>
        <comment>%n token, {speed} tok/s</comment>
        <translation>
            <numerusform>토큰 %n개, {speed} 토큰/초</numerusform>
        </translation>
    </message>
    <message>
        <source>The experiment was stopped before a run ended.</source>
        <translation>실행이 하나도 끝나기 전에 중지되었습니다.</translation>
    </message>
    <message>
        <source>This is a sample: short answers, few variants and rounds. Start runs the whole experiment.</source>
        <translation>예시입니다. 답변이 짧고, 갈래와 회차가 적습니다. “시작”을 누르면 전체 실험이 실행됩니다.</translation>
    </message>
    <message numerus="yes">
        <source>Quick look: answers of at most %n tokens. Start measures whole answers.</source>
        <translation>
            <numerusform>빠른 확인: 답변은 최대 토큰 %n개입니다. 시작을 누르면 답변 전체를 잽니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped: {done} of %n rounds done.</source>
        <comment>Stopped: {done} of %n round done.</comment>
        <translation>
            <numerusform>중지됨: %n회 중 {done}회 완료.</numerusform>
        </translation>
    </message>
    <message>
        <source>Always keep at least this many tokens, even if min-p would remove them.</source>
        <translation>min-p가 빼려 해도 확률이 높은 토큰을 적어도 이만큼은 남깁니다.</translation>
    </message>
    <message>
        <source>Probability above which XTC may remove a token.</source>
        <translation>확률이 이 값 이상인 토큰을 XTC가 뺄 수 있습니다.</translation>
    </message>
    <message>
        <source>Subtracted from a token&apos;s logit once for each time that it occurred within the frequency window.</source>
        <translation>빈도 범위 안에서 토큰이 나온 횟수만큼 로짓에서 뺍니다.</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>채팅</translation>
    </message>
    <message>
        <source>Raw</source>
        <translation>Raw</translation>
    </message>
    <message>
        <source>Effect of sampling</source>
        <translation>샘플링의 효과</translation>
    </message>
    <message>
        <source>The open model, with its size and dtype. Press it to open another one from this computer or the Hub.</source>
        <translation>열린 모델과 그 크기, dtype. 누르면 이 컴퓨터나 허브에서 다른 모델을 엽니다.</translation>
    </message>
    <message>
        <source>A conversation in the model&apos;s chat template. “Exact prompt” shows the templated text.</source>
        <translation>모델의 채팅 템플릿을 쓰는 대화. ‘실제 프롬프트’에서 템플릿이 적용된 텍스트를 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>One page without a chat template, which the model continues. Use it for base models.</source>
        <translation>채팅 템플릿 없이 모델이 이어 쓰는 한 페이지. 기반 모델에 쓰세요.</translation>
    </message>
    <message>
        <source>All conversations, newest first, saved on this computer. Search covers titles and texts. Delete has Undo.</source>
        <translation>이 컴퓨터에 저장된 모든 대화를 최신순으로 보여 줍니다. 제목과 본문을 검색합니다. 삭제는 되돌릴 수 있습니다.</translation>
    </message>
    <message>
        <source>The empty page with prompts to try. Type your own prompt in the field below.</source>
        <translation>시험해 볼 프롬프트가 있는 빈 페이지. 아래 칸에 자신의 프롬프트를 입력하세요.</translation>
    </message>
    <message>
        <source>Token color</source>
        <translation>토큰의 색</translation>
    </message>
    <message>
        <source>The text to send. The number is the token count of the whole prompt. Undo restores a sent text.</source>
        <translation>보낼 텍스트. 옆의 숫자는 프롬프트 전체의 토큰 수입니다. 실행 취소로 보낸 텍스트를 되살립니다.</translation>
    </message>
    <message>
        <source>Sends the prompt to the model. During a run it is Stop.</source>
        <translation>프롬프트를 모델에 보냅니다. 실행 중에는 중지 단추입니다.</translation>
    </message>
    <message>
        <source>Stops the run after the current token. The text stays, and Continue resumes it.</source>
        <translation>현재 토큰 뒤에 실행을 멈춥니다. 텍스트는 남고, 이어 쓰기로 계속합니다.</translation>
    </message>
    <message>
        <source>Complete: the model generated EOS or a stop token. Reached max tokens: raise the limit or continue. Stop string reached: one of yours was generated. Ended by the server: the reason in brackets is the server&apos;s. ⓘ shows all figures, the code and the receipt.</source>
        <translation>완료: 모델이 EOS나 중지 토큰을 생성했습니다. 최대 토큰에서 멈춤: 한도를 올리거나 이어서 생성하세요. 중지 문자열 나옴: 정해 둔 문자열이 생성되었습니다. 서버가 끝냄: 괄호 안은 서버가 알린 이유입니다. ⓘ에는 모든 수치와 코드, 영수증이 있습니다.</translation>
    </message>
    <message>
        <source>The alternatives for one token of the last run, before and after the sampling settings.</source>
        <translation>마지막 실행의 한 토큰에 대한 대안. 샘플링 설정 적용 전과 후.</translation>
    </message>
    <message>
        <source>Cached prefix</source>
        <translation>캐시된 앞부분</translation>
    </message>
    <message>
        <source>Number of cached prompt tokens, and where and why the rest differs.</source>
        <translation>캐시된 프롬프트 토큰 수, 그리고 나머지가 어디서 왜 다른지.</translation>
    </message>
    <message>
        <source>Prompt warnings</source>
        <translation>프롬프트 경고</translation>
    </message>
    <message>
        <source>Warnings about common problems of the prompt and the settings, with a button that fixes them.</source>
        <translation>프롬프트와 설정에서 흔한 문제의 경고와, 고치는 단추.</translation>
    </message>
    <message>
        <source>All recorded runs with their settings and figures. Compare them, rerun one, or vary one of its settings.</source>
        <translation>기록된 모든 실행과 그 설정, 수치. 비교하거나, 다시 실행하거나, 설정 하나를 바꿔 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>Models on this computer, on the Hub and on servers. “Does it fit?” estimates the memory before loading.</source>
        <translation>이 컴퓨터, 허브, 서버의 모델. ‘들어갈까?’가 불러오기 전에 메모리를 추정합니다.</translation>
    </message>
    <message>
        <source>OpenAI-compatible servers: mlx_lm.server, vLLM, llama.cpp, LM Studio, Ollama. Times include the network.</source>
        <translation>mlx_lm.server, vLLM, llama.cpp, LM Studio, Ollama 같은 OpenAI 호환 서버. 시간에는 네트워크가 포함됩니다.</translation>
    </message>
    <message>
        <source>Inside the Model</source>
        <translation>모델 속</translation>
    </message>
    <message>
        <source>Logit lens, attention patterns, residual stream and prompt attribution of one answer, with export.</source>
        <translation>한 답변의 로짓 렌즈, 어텐션 패턴, 잔차 스트림, 프롬프트 기여도입니다. 내보낼 수 있습니다.</translation>
    </message>
    <message>
        <source>Perplexity of a text</source>
        <translation>글의 퍼플렉서티</translation>
    </message>
    <message>
        <source>Perplexity of a text, token by token. With a second model: the KL divergence between the two.</source>
        <translation>텍스트의 퍼플렉시티를 토큰별로 보여 줍니다. 둘째 모델이 있으면 둘 사이의 KL 발산도 나옵니다.</translation>
    </message>
    <message>
        <source>The conversation as it streams. The view scrolls along while you are at the end. The line below an answer shows its finish reason. Right-click a turn, or press ⋯, to edit, copy or delete it.</source>
        <translation>스트리밍되는 대화. 끝에 있는 동안 화면이 따라갑니다. 답변 아래 줄에 종료 이유가 나옵니다. 차례를 오른쪽 클릭하거나 ⋯를 눌러 고치기, 복사, 삭제를 합니다.</translation>
    </message>
    <message>
        <source>The value that a token&apos;s color shows. All but latency and origin need recorded alternatives.</source>
        <translation>토큰의 색이 나타내는 값입니다. 지연 시간과 출처를 빼고는 대안 기록이 필요합니다.</translation>
    </message>
    <message>
        <source>The settings of the next run, which each run records. The command palette finds them by name.</source>
        <translation>다음 실행의 설정이며 실행마다 기록됩니다. 명령 팔레트에서 이름으로 찾을 수 있습니다.</translation>
    </message>
    <message>
        <source>Probability, latency and alternatives of a token. Fork the answer with one of them or your own text.</source>
        <translation>한 토큰의 확률, 지연 시간, 대안입니다. 대안이나 자신의 글로 답변을 포크합니다.</translation>
    </message>
    <message>
        <source>The tokens of the templated prompt; cached ones are underlined. “Surprisal” colors them by surprisal.</source>
        <translation>템플릿이 적용된 프롬프트의 토큰입니다. 캐시된 것에는 밑줄이 있고, ‘놀라움’은 놀라움 정도로 색칠합니다.</translation>
    </message>
    <message>
        <source>Decode speed over time or tokens. Above the curve: the prefill. Below it: a tick for each token. At the right: the mean speeds of this run and of pinned runs. Point at the curve to see a token, drag to measure a range, click a dip to go to its token. The menu pins this run for comparisons.</source>
        <translation>시간이나 토큰에 따른 디코드 속도입니다. 곡선 위에는 프리필, 아래에는 토큰마다 눈금 하나, 오른쪽에는 이 실행과 고정한 실행들의 평균 속도가 있습니다. 곡선을 가리키면 그 토큰을 보여 주고, 끌면 구간을 재고, 느려진 곳을 누르면 그 토큰으로 갑니다. 메뉴에서 이 실행을 비교용으로 고정합니다.</translation>
    </message>
    <message>
        <source>Memory of MLX: weights, KV cache and peak. Near the limit, use a shorter context or a smaller model.</source>
        <translation>MLX의 메모리: 가중치, KV 캐시, 최고. 한도에 가까우면 컨텍스트를 줄이거나 더 작은 모델을 쓰세요.</translation>
    </message>
    <message>
        <source>Used tokens of the context window; max tokens are hatched. When it is full, begin a new session.</source>
        <translation>컨텍스트 창에서 쓴 토큰이며, 최대 토큰은 빗금입니다. 가득 차면 새 세션을 시작하세요.</translation>
    </message>
    <message>
        <source>Values for all sampling settings. Changed ones are bold; the arrow resets them, ⋯ saves yours.</source>
        <translation>모든 샘플링 설정의 값. 바꾼 것은 굵게 표시됩니다. 화살표로 되돌리고 ⋯로 저장합니다.</translation>
    </message>
    <message>
        <source>Runs mlx_lm.server for other programs until Sluice ends. Several computers can share a large model.</source>
        <translation>Sluice가 끝날 때까지 다른 프로그램을 위해 mlx_lm.server를 실행합니다. 큰 모델은 여러 컴퓨터가 나눌 수 있습니다.</translation>
    </message>
    <message>
        <source>One line per run; ◆ marks differences. Select one for its receipt, or several to compare.</source>
        <translation>실행마다 한 줄이며 ◆는 다른 점입니다. 하나를 고르면 영수증, 여럿을 고르면 비교가 나옵니다.</translation>
    </message>
    <message>
        <source>Compares variants of one setting. The result says whether the difference is significant.</source>
        <translation>한 설정의 여러 변형을 비교합니다. 결과는 차이가 유의한지 알려 줍니다.</translation>
    </message>
    <message>
        <source>Runs prompts with several variants, and checks the answers: rates, intervals and significance tests.</source>
        <translation>프롬프트를 여러 변형으로 실행하고 답을 검사합니다. 비율, 신뢰 구간, 유의성 검정이 나옵니다.</translation>
    </message>
    <message>
        <source>Appearance, language, model folders, privacy and session defaults. Most changes apply at once.</source>
        <translation>모양, 언어, 모델 폴더, 개인 정보, 세션의 기본값. 대부분 바로 적용됩니다.</translation>
    </message>
    <message>
        <source>A lesson: predict, run and compare. Closing it restores your prompt, settings and session.</source>
        <translation>수업: 예측하고, 실행하고, 비교합니다. 닫으면 원래의 프롬프트, 설정, 세션이 돌아옵니다.</translation>
    </message>
    <message>
        <source>The values of graph, figures and gauges as tables that can be copied.</source>
        <translation>그래프, 수치, 게이지의 값을 복사할 수 있는 표로 보여 줍니다.</translation>
    </message>
    <message>
        <source>The conversation as a tree. Each edit, regeneration and fork is a branch.</source>
        <translation>대화를 나무로 보여 줍니다. 고치기, 다시 만들기, 포크가 각각 가지가 됩니다.</translation>
    </message>
    <message>
        <source>Detokenization and held-back text, token by token.</source>
        <translation>토큰이 텍스트가 되는 과정과, 중지 문자열이 시작될 수 있는 동안 텍스트가 보류되는 과정을 한 토큰씩 보여 줍니다.</translation>
    </message>
    <message>
        <source>All keyboard shortcuts. Select an action and press its new keys.</source>
        <translation>모든 키보드 단축키. 동작을 고르고 새 키를 누르세요.</translation>
    </message>
    <message>
        <source>The Python script that repeats the run with mlx-lm alone.</source>
        <translation>mlx-lm만으로 실행을 반복하는 Python 스크립트입니다.</translation>
    </message>
    <message>
        <source>Prompt Sets</source>
        <translation>프롬프트 세트</translation>
    </message>
    <message>
        <source>Stop strings, step by step</source>
        <translation>중지 문자열, 단계별로 보기</translation>
    </message>
    <message>
        <source>Open another one.</source>
        <translation>다른 파일을 여세요.</translation>
    </message>
    <message>
        <source>“{name}” could not be saved in {folder}: {why}.</source>
        <translation>“{name}” 파일을 {folder} 폴더에 저장하지 못했습니다: {why}.</translation>
    </message>
    <message>
        <source>“{name}” is not a file.</source>
        <translation>“{name}” 항목은 파일이 아닙니다.</translation>
    </message>
    <message>
        <source>Saved as {path}.</source>
        <translation>{path}에 저장했습니다.</translation>
    </message>
    <message>
        <source>“{name}” is too large to be a session.</source>
        <translation>“{name}” 파일은 세션이라기에는 너무 큽니다.</translation>
    </message>
    <message>
        <source>“{name}” could not be read: {why}.</source>
        <translation>“{name}” 파일을 읽지 못했습니다: {why}.</translation>
    </message>
    <message numerus="yes">
        <source>%n tok</source>
        <comment>%n tok</comment>
        <translation>
            <numerusform>%n토큰</numerusform>
        </translation>
    </message>
    <message>
        <source>The licenses could not be read. {todo}</source>
        <translation>라이선스를 읽지 못했습니다. {todo}</translation>
    </message>
    <message>
        <source>en</source>
        <comment>the code of this language</comment>
        <extracomment>The code of this language: en, ko …</extracomment>
        <translation>ko</translation>
    </message>
    <message>
        <source>Wait until the model is open.</source>
        <translation>모델이 열릴 때까지 기다리세요.</translation>
    </message>
    <message>
        <source>Wait until the answer is complete, or stop it.</source>
        <translation>답변이 끝날 때까지 기다리거나 중지하세요.</translation>
    </message>
    <message>
        <source>Wait until the run has stopped.</source>
        <translation>실행을 중지하고 있습니다.</translation>
    </message>
    <message>
        <source>Repeating the run…</source>
        <translation>같은 실행을 다시 하는 중…</translation>
    </message>
    <message>
        <source>The repeated run differed: alternatives are recorded up to token {place}.</source>
        <translation>이번에는 같은 실행이 다르게 진행되었습니다. 후보는 토큰 {place}까지 기록되었습니다.</translation>
    </message>
    <message>
        <source>Stopped by you: alternatives are recorded up to token {place}.</source>
        <translation>직접 중지했습니다. 후보는 토큰 {place}까지 기록되었습니다.</translation>
    </message>
    <message>
        <source>The repeated run failed: {what}</source>
        <translation>이번에는 같은 실행이 실패했습니다. {what}</translation>
    </message>
    <message>
        <source>Save elsewhere…</source>
        <translation>다른 곳에 저장…</translation>
    </message>
    <message>
        <source>Save the Sessions in a Folder</source>
        <translation>세션을 저장할 폴더</translation>
    </message>
    <message>
        <source>The sessions are saved in {folder} now. Start Sluice with --data-dir {folder} to see them again.</source>
        <translation>이제 세션을 {folder}에 저장합니다. 다시 보려면 --data-dir {folder}(으)로 Sluice를 시작하세요.</translation>
    </message>
    <message>
        <source>Stop (Esc). Finished runs are saved.</source>
        <translation>정지(Esc). 끝난 실행은 남습니다.</translation>
    </message>
    <message>
        <source>Wait until the model is free.</source>
        <translation>모델이 작업을 마칠 때까지 기다리세요.</translation>
    </message>
    <message>
        <source>Copy the details of the error</source>
        <translation>오류의 세부 정보를 복사합니다</translation>
    </message>
    <message>
        <source>Loading a model…</source>
        <translation>모델을 불러오는 중…</translation>
    </message>
    <message>
        <source>Copy a command for the terminal that does the same</source>
        <translation>창 없이 같은 일을 하는 명령을 복사합니다</translation>
    </message>
    <message>
        <source>The command was copied.</source>
        <translation>명령을 클립보드에 복사했습니다.</translation>
    </message>
    <message>
        <source>Show or hide the sessions</source>
        <translation>세션 목록을 보이거나 숨깁니다</translation>
    </message>
    <message>
        <source>The server applies its own chat template and takes no reply prefix.</source>
        <translation>서버가 자체 채팅 템플릿을 적용하며, 답변의 시작을 받지 않습니다.</translation>
    </message>
    <message>
        <source>Reply and template</source>
        <translation>답변과 템플릿</translation>
    </message>
    <message>
        <source>The models could not be listed: {what} {todo}</source>
        <translation>모델 목록을 만들지 못했습니다. {what} {todo}</translation>
    </message>
    <message>
        <source>Deleting “{name}” …</source>
        <translation>“{name}” 삭제하는 중…</translation>
    </message>
    <message>
        <source>Add a Folder of Models</source>
        <translation>모델 폴더 추가</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>프리셋</translation>
    </message>
    <message>
        <source>Import Presets</source>
        <translation>프리셋 가져오기</translation>
    </message>
    <message>
        <source>There are no presets of your own yet: save one first.</source>
        <translation>아직 직접 만든 프리셋이 없습니다. 먼저 하나를 저장하세요.</translation>
    </message>
    <message>
        <source>Export Your Presets</source>
        <translation>내 프리셋 내보내기</translation>
    </message>
    <message>
        <source>Nothing was exported, since Import would refuse it:</source>
        <translation>가져오기에서 거부할 내용이라 내보내지 않았습니다:</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>열린 모델이 없습니다.</translation>
    </message>
    <message>
        <source>The model&apos;s generation_config.json has no sampling settings.</source>
        <translation>이 모델의 generation_config.json에는 샘플링 설정이 없습니다.</translation>
    </message>
    <message>
        <source>The preset replaced the system prompt. Undo in its field restores yours.</source>
        <translation>프리셋이 시스템 프롬프트를 바꿨습니다. 그 입력란에서 실행 취소하면 원래 프롬프트로 돌아갑니다.</translation>
    </message>
    <message>
        <source>Imported {names}.</source>
        <translation>가져온 프리셋: {names}.</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>저장했습니다.</translation>
    </message>
    <message>
        <source>“{name}” is deleted.</source>
        <translation>“{name}” 프리셋을 삭제했습니다.</translation>
    </message>
    <message>
        <source>Open the model of this run first.</source>
        <translation>먼저 이 실행의 모델을 여세요.</translation>
    </message>
    <message>
        <source>Experiments ▸ Find Settings That Change Tokens shows other causes.</source>
        <translation>실험 ▸ 토큰을 바꾸는 설정 찾기에서 다른 원인을 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>Rerunning…</source>
        <translation>다시 실행하는 중…</translation>
    </message>
    <message>
        <source>Rerunning: {done} of {all} tokens…</source>
        <translation>다시 실행하는 중: 토큰 {all}개 중 {done}개…</translation>
    </message>
    <message>
        <source>This run has no tokens to compare with.</source>
        <translation>이 실행에는 비교할 토큰이 없습니다.</translation>
    </message>
    <message>
        <source>This run came from a server as text, so it can&apos;t be compared token by token.</source>
        <translation>이 실행은 서버가 텍스트로 보낸 것이라 토큰마다 비교할 수 없습니다.</translation>
    </message>
    <message>
        <source>The files in {folder} have changed since this run, so it can&apos;t be rerun.</source>
        <translation>{folder}의 파일이 이 실행 뒤에 바뀌어 다시 실행할 수 없습니다.</translation>
    </message>
    <message>
        <source>Open {model} first, which generated this run; {opened} is open.</source>
        <translation>이 실행을 생성한 {model}을(를) 먼저 여세요. 지금은 {opened}이(가) 열려 있습니다.</translation>
    </message>
    <message numerus="yes">
        <source>The rerun failed after %n tokens: {what}</source>
        <comment>The rerun failed after %n token: {what}</comment>
        <translation>
            <numerusform>토큰 %n개 뒤에 다시 실행이 실패했습니다: {what}</numerusform>
        </translation>
    </message>
    <message>
        <source>Open {name} as the draft model first: this run used it.</source>
        <translation>먼저 {name} 모델을 드래프트 모델로 여세요. 이 실행에서 함께 쓴 모델입니다.</translation>
    </message>
    <message>
        <source>A run is in progress. Rerun after it has ended.</source>
        <translation>실행 중입니다. 끝난 뒤 다시 실행하세요.</translation>
    </message>
    <message>
        <source>Stopped by you. {found}</source>
        <translation>사용자가 중지했습니다. {found}</translation>
    </message>
    <message>
        <source>The model is answering this prompt. The next prompt is shown when the answer is complete.</source>
        <translation>모델이 이 프롬프트에 답하고 있습니다. 답변이 끝나면 다음 프롬프트가 나옵니다.</translation>
    </message>
    <message>
        <source>Rerunning without cache…</source>
        <translation>캐시 없이 다시 실행 중…</translation>
    </message>
    <message>
        <source>Wait until the model is free, then compare.</source>
        <translation>모델이 작업을 마친 뒤에 비교하세요.</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens with the session</source>
        <comment>%n token with the session</comment>
        <translation>
            <numerusform>세션까지 토큰 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>The text was sent to the server, which tokenizes it.</source>
        <translation>텍스트를 서버로 보냈고, 토큰화는 서버가 합니다.</translation>
    </message>
    <message>
        <source>Tokens as a table</source>
        <translation>토큰 표</translation>
    </message>
    <message>
        <source>Logit Lens</source>
        <translation>로짓 렌즈</translation>
    </message>
    <message>
        <source>Attention Patterns</source>
        <translation>어텐션 패턴</translation>
    </message>
    <message>
        <source>Residual Stream</source>
        <translation>잔차 스트림</translation>
    </message>
    <message>
        <source>Prompt Attribution</source>
        <translation>프롬프트 기여도</translation>
    </message>
    <message>
        <source>logit lens</source>
        <translation>로짓 렌즈</translation>
    </message>
    <message>
        <source>attention heads</source>
        <translation>어텐션 헤드</translation>
    </message>
    <message>
        <source>attention pattern</source>
        <translation>어텐션 패턴</translation>
    </message>
    <message>
        <source>residual stream</source>
        <translation>잔차 스트림</translation>
    </message>
    <message>
        <source>prompt attribution</source>
        <translation>프롬프트 기여도</translation>
    </message>
    <message>
        <source>Logit lens: the hidden state after each layer, decoded with the final norm and LM head. Line: the layer from which on the sampled token stays the top token.</source>
        <translation>로짓 렌즈: 각 층 다음의 은닉 상태를 마지막 정규화와 LM 헤드로 디코딩한 것입니다. 선: 샘플링된 토큰이 끝까지 최상위 토큰으로 남기 시작하는 층입니다.</translation>
    </message>
    <message>
        <source>Attention pattern: the weights from each token (row) to the earlier ones (columns), for one head.</source>
        <translation>어텐션 패턴: 한 헤드에서 각 토큰(행)이 앞 토큰(열)에 주는 가중치입니다.</translation>
    </message>
    <message>
        <source>Residual stream: the hidden state after each layer at the selected token.</source>
        <translation>잔차 스트림: 선택한 토큰에서 각 층 다음의 은닉 상태입니다.</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>표</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>그림</translation>
    </message>
    <message>
        <source>The logit lens of an answer appears here: the most likely token after each layer, for each token. Other tabs show attention patterns, the residual stream and the effect of each part of the prompt.</source>
        <translation>답변의 로짓 렌즈가 여기에 나타납니다. 토큰마다 각 층 다음에 확률이 가장 높은 토큰입니다. 다른 탭은 어텐션 패턴, 잔차 스트림, 프롬프트 각 부분의 영향을 보여 줍니다.</translation>
    </message>
    <message>
        <source>Press “Compute All Views” for the logit lens, attention patterns, residual stream and attribution.</source>
        <translation>로짓 렌즈, 어텐션 패턴, 잔차 스트림, 기여도를 보려면 “모든 보기 계산”을 누르세요.</translation>
    </message>
    <message>
        <source>Computing the attention pattern of this head…</source>
        <translation>이 헤드의 어텐션 패턴을 계산하는 중…</translation>
    </message>
    <message>
        <source>All views of this token are computed.</source>
        <translation>이 토큰의 모든 보기가 계산되었습니다.</translation>
    </message>
    <message>
        <source>There is no answer with recorded tokens.</source>
        <translation>토큰이 기록된 답변이 없습니다.</translation>
    </message>
    <message>
        <source>Logit lens, attention, hidden states and attribution of the answer; the conversation doesn&apos;t change</source>
        <translation>답변의 로짓 렌즈, 어텐션, 은닉 상태, 기여도입니다. 대화는 바뀌지 않습니다</translation>
    </message>
    <message>
        <source>Send a short prompt, and compute all views of its answer</source>
        <translation>짧은 프롬프트를 보내고, 답변의 모든 보기를 계산합니다</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>보기</translation>
    </message>
    <message>
        <source>Save this view: picture, table or all data</source>
        <translation>이 보기를 저장합니다: 그림, 표 또는 모든 데이터</translation>
    </message>
    <message>
        <source>Compute All Views</source>
        <translation>모든 보기 계산</translation>
    </message>
    <message>
        <source>Computing: {view}</source>
        <translation>계산 중: {view}</translation>
    </message>
    <message>
        <source>Answer of {model}: “{text}”</source>
        <translation>{model}의 답변: “{text}”</translation>
    </message>
    <message>
        <source>Export the View</source>
        <translation>보기 내보내기</translation>
    </message>
    <message>
        <source>Export the Run</source>
        <translation>실행 내보내기</translation>
    </message>
    <message>
        <source>Run {number}</source>
        <translation>실행 {number}</translation>
    </message>
    <message>
        <source>Run with all tokens</source>
        <translation>모든 토큰을 포함한 실행</translation>
    </message>
    <message>
        <source>Save the Table</source>
        <translation>표 저장</translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation>다른 것을 선택하세요.</translation>
    </message>
    <message>
        <source>Open a model ▾</source>
        <translation>모델 열기 ▾</translation>
    </message>
    <message>
        <source>{session} — {model}</source>
        <translation>{session} — {model}</translation>
    </message>
    <message>
        <source>All Models…</source>
        <translation>모든 모델…</translation>
    </message>
    <message>
        <source>{model}
runs on {server}</source>
        <translation>{model}
{server}에서 실행</translation>
    </message>
    <message>
        <source>EOS probability unknown: no alternatives were recorded. Turn on “Record alternatives” for the next run.</source>
        <translation>EOS 확률을 알 수 없습니다. 후보가 기록되지 않았습니다. 다음 실행부터 기록하려면 “후보 기록”을 켜세요.</translation>
    </message>
    <message>
        <source>The model generated {token}.</source>
        <translation>모델이 {token}을(를) 생성했습니다.</translation>
    </message>
    <message>
        <source>The model generated {token}, with a probability of {chance}.</source>
        <translation>모델이 확률 {chance}로 {token}을(를) 생성했습니다.</translation>
    </message>
    <message>
        <source>The model generated {token}, with a probability of {chance} (rank {rank}); “{best}” had {best_chance}.</source>
        <translation>모델이 확률 {chance}({rank}위)로 {token}을(를) 생성했습니다. “{best}”의 확률은 {best_chance}였습니다.</translation>
    </message>
    <message>
        <source>“{string}” was completed by the token “{token}” (id {id}).</source>
        <translation>토큰 “{token}”(ID {id})에서 “{string}” 문자열이 완성되었습니다.</translation>
    </message>
    <message>
        <source>“{string}” was completed by the token “{token}” (id {id}), with a probability of {chance}.</source>
        <translation>확률 {chance}의 토큰 “{token}”(ID {id})에서 “{string}” 문자열이 완성되었습니다.</translation>
    </message>
    <message>
        <source>“{string}” was completed by the token “{token}” (id {id}), with a probability of {chance} (rank {rank}); “{best}” had {best_chance}.</source>
        <translation>확률 {chance}({rank}위)의 토큰 “{token}”(ID {id})에서 “{string}” 문자열이 완성되었습니다. “{best}”의 확률은 {best_chance}였습니다.</translation>
    </message>
    <message>
        <source>Bottleneck</source>
        <translation>병목</translation>
    </message>
    <message>
        <source>Why it stopped</source>
        <translation>멈춘 이유</translation>
    </message>
    <message>
        <source>Next steps</source>
        <translation>다음에 할 일</translation>
    </message>
    <message>
        <source>Nothing unusual slowed it down.</source>
        <translation>특별히 느리게 한 것은 없습니다.</translation>
    </message>
    <message>
        <source>The token limit was reached before the model generated EOS.</source>
        <translation>모델이 EOS를 생성하기 전에 토큰 한도에 닿았습니다.</translation>
    </message>
    <message>
        <source>The context was full after {written}.</source>
        <translation>{written} 뒤에 남은 자리가 없었습니다.</translation>
    </message>
    <message>
        <source>The prompt alone is too long.</source>
        <translation>프롬프트만으로도 너무 깁니다.</translation>
    </message>
    <message>
        <source>EOS</source>
        <translation>EOS</translation>
    </message>
    <message>
        <source>{token} (id {id})</source>
        <translation>{token}(ID {id})</translation>
    </message>
    <message>
        <source>{token}, one of your stop tokens</source>
        <translation>직접 정한 중지 토큰인 {token}</translation>
    </message>
    <message>
        <source>“{text}” was generated and isn&apos;t shown.</source>
        <translation>“{text}” 문자열은 생성되었지만 표시하지 않습니다.</translation>
    </message>
    <message>
        <source>Stopped by you. Closing the connection took {latency}.</source>
        <translation>중지했습니다. 연결을 닫는 데 {latency} 걸렸습니다.</translation>
    </message>
    <message>
        <source>Stopped by you before the first token. Stopping took {latency}.</source>
        <translation>첫 토큰 전에 중지했습니다. 멈추는 데 {latency} 걸렸습니다.</translation>
    </message>
    <message>
        <source>The run failed before the first token.</source>
        <translation>첫 토큰 전에 실패했습니다.</translation>
    </message>
    <message>
        <source>Sluice quit after {written}. The text up to there was saved.</source>
        <translation>{written} 뒤에 Sluice가 종료되었습니다. 그때까지의 글은 저장되었습니다.</translation>
    </message>
    <message>
        <source>The run failed after {written}.</source>
        <translation>{written} 뒤에 실패했습니다.</translation>
    </message>
    <message>
        <source>EOS probability at the last token: {chance}.</source>
        <translation>마지막 토큰의 EOS 확률: {chance}.</translation>
    </message>
    <message>
        <source>EOS probability was never higher.</source>
        <translation>EOS 확률이 그보다 높았던 적은 없습니다.</translation>
    </message>
    <message>
        <source>EOS probability had peaked before, at token {place}: {chance}.</source>
        <translation>그 전의 EOS 확률 최고점은 토큰 {place}: {chance}.</translation>
    </message>
    <message>
        <source>EOS probability peaked at token {place}: {chance}.</source>
        <translation>EOS 확률의 최고점은 토큰 {place}: {chance}.</translation>
    </message>
    <message>
        <source>EOS probability never reached {chance}.</source>
        <translation>EOS 확률이 {chance}에 이른 적은 없습니다.</translation>
    </message>
    <message>
        <source>Stopped by you after {written}, during reasoning. Stopping took {latency}.</source>
        <translation>{written} 뒤 추론 중에 중지했습니다. 멈추는 데 {latency} 걸렸습니다.</translation>
    </message>
    <message>
        <source>Stopped by you after {written}. Stopping took {latency}.</source>
        <translation>{written} 뒤에 중지했습니다. 멈추는 데 {latency} 걸렸습니다.</translation>
    </message>
    <message>
        <source>Begin a new session, or delete turns that are not needed any more.</source>
        <translation>새 세션을 시작하거나 더 필요하지 않은 차례를 삭제하세요.</translation>
    </message>
    <message>
        <source>If that came too early, change the stop strings and regenerate the answer.</source>
        <translation>너무 일찍 멈추었다면 중지 문자열을 바꾸고 답변을 다시 생성하세요.</translation>
    </message>
    <message>
        <source>Write more text at the end, and send it again.</source>
        <translation>글 끝에 더 쓰고 다시 보내세요.</translation>
    </message>
    <message>
        <source>Write the next prompt, or regenerate the answer.</source>
        <translation>다음 프롬프트를 쓰거나, 답변을 다시 생성하세요.</translation>
    </message>
    <message>
        <source>“{button}” sends the prompt again.</source>
        <translation>“{button}” 버튼으로 다시 보낼 수 있습니다.</translation>
    </message>
    <message>
        <source>Press “{button}”, or regenerate the answer.</source>
        <translation>“{button}” 버튼을 누르거나, 다시 생성해 다른 답변을 받으세요.</translation>
    </message>
    <message>
        <source>Press “{button}” or “{other}”, or regenerate the answer.</source>
        <translation>“{button}” 또는 “{other}” 버튼을 누르거나, 다시 생성해 다른 답변을 받으세요.</translation>
    </message>
    <message>
        <source>Tokens with all their alternatives</source>
        <translation>모든 후보를 포함한 토큰</translation>
    </message>
    <message>
        <source>Export the Tokens</source>
        <translation>토큰 내보내기</translation>
    </message>
    <message>
        <source>Tokens of run {number}</source>
        <translation>실행 {number}의 토큰</translation>
    </message>
    <message>
        <source>Compiled into it:</source>
        <translation>함께 컴파일된 것:</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>이전</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>완료</translation>
    </message>
    <message>
        <source>Without the chat template</source>
        <translation>채팅 템플릿 없이</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>서버</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>주소</translation>
    </message>
    <message>
        <source>Open this model; it runs on the server (Enter)</source>
        <translation>이 모델을 엽니다. 서버에서 실행됩니다(Enter)</translation>
    </message>
    <message>
        <source>Model on the server</source>
        <translation>서버의 모델</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>서버</translation>
    </message>
    <message>
        <source>Use a model on a server</source>
        <translation>서버의 모델 쓰기</translation>
    </message>
    <message>
        <source>Sluice streams answers of servers: mlx_lm.server, vLLM, llama.cpp, LM Studio or Ollama.</source>
        <translation>Sluice는 서버의 답변을 스트리밍합니다: mlx_lm.server, vLLM, llama.cpp, LM Studio, Ollama.</translation>
    </message>
    <message>
        <source>No server is contacted before you save its address. Servers of other providers may charge for requests.</source>
        <translation>주소를 저장하기 전에는 서버에 연결하지 않습니다. 다른 제공자의 서버는 요청에 요금을 받을 수 있습니다.</translation>
    </message>
    <message>
        <source>on this computer, localhost:1234</source>
        <translation>이 컴퓨터, localhost:1234</translation>
    </message>
    <message>
        <source>on this computer, localhost:11434</source>
        <translation>이 컴퓨터, localhost:11434</translation>
    </message>
    <message>
        <source>on this computer, localhost:8080</source>
        <translation>이 컴퓨터, localhost:8080</translation>
    </message>
    <message>
        <source>Filter, or type the name of a model</source>
        <translation>필터링하거나, 목록에 없는 모델의 이름을 입력하세요</translation>
    </message>
    <message>
        <source>Models on the server</source>
        <translation>서버의 모델 목록</translation>
    </message>
    <message>
        <source>Add server…</source>
        <translation>서버 추가…</translation>
    </message>
    <message>
        <source>Contact the server, and measure its response time</source>
        <translation>서버에 연결하여 응답 시간을 잽니다</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>테스트</translation>
    </message>
    <message>
        <source>Change address, name or key</source>
        <translation>주소나 이름이나 키를 바꿉니다</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>편집…</translation>
    </message>
    <message>
        <source>Remove the server from the list</source>
        <translation>서버를 목록에서 뺍니다</translation>
    </message>
    <message>
        <source>{name} was not contacted yet, because your text would be sent unencrypted. Click Test to contact it.</source>
        <translation>{name}에 아직 연결하지 않았습니다. 글이 암호화되지 않고 전송되기 때문입니다. 연결하려면 “테스트”를 누르세요.</translation>
    </message>
    <message numerus="yes">
        <source>{name} lists %n models. Connection: {connect} ms; first byte: {first} ms later.</source>
        <comment>{name} lists %n model. Connection: {connect} ms; first byte: {first} ms later.</comment>
        <translation>
            <numerusform>{name}의 모델은 %n개입니다. 연결 {connect} ms, 그 뒤 첫 바이트까지 {first} ms.</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove {name} from the list, and its key?</source>
        <translation>{name}을(를) 목록에서 뺄까요? 키도 함께 지워집니다.</translation>
    </message>
    <message>
        <source>{name} was removed from the list.</source>
        <translation>{name}을(를) 목록에서 뺐습니다.</translation>
    </message>
    <message>
        <source>Most servers report no memory, cache or alternatives; those fields stay empty.</source>
        <translation>대부분의 서버는 메모리, 캐시, 다른 후보를 알려 주지 않으며, 그런 항목은 비어 있습니다.</translation>
    </message>
    <message>
        <source>Add a server to the list</source>
        <translation>목록에 서버를 추가합니다</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>빼기…</translation>
    </message>
    <message>
        <source>Choose a server first.</source>
        <translation>먼저 서버를 고르세요.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>자동</translation>
    </message>
    <message>
        <source>Memory for the loaded model&apos;s KV caches of other conversations and branches. A return to one of them then needs no prefill. Automatic: 1/8 of the memory limit. The cache that is cheapest to recompute per byte is dropped first.</source>
        <translation>불러온 모델의 다른 대화와 가지의 KV 캐시에 쓰는 메모리입니다. 그 대화로 돌아갈 때 프리필이 필요 없습니다. 자동: 메모리 한도의 1/8. 바이트당 다시 계산하는 비용이 가장 적은 캐시부터 버립니다.</translation>
    </message>
    <message>
        <source>Prompt tokens per prefill step, from the next run on. Automatic follows the measured speed, so that Stop takes effect within 250 ms. A larger step can be faster and delays Stop. The answer stays the same, except for rounding.</source>
        <translation>프리필 한 단계에 처리하는 프롬프트 토큰 수이며 다음 실행부터 적용합니다. “자동”은 측정한 속도에 맞추어 중지가 250 ms 안에 반응하게 합니다. 단위가 크면 더 빠를 수 있지만 중지가 늦어집니다. 답변은 반올림 차이 말고는 같습니다.</translation>
    </message>
    <message>
        <source>Time between two updates of the text, effective at once. Default: {usual} ms. A shorter interval looks smoother and slows the model. It is extended, to 50 ms at most, when frames take too much processor time.</source>
        <translation>글을 갱신하는 간격이며 바로 적용합니다. 기본값: {usual} ms. 짧으면 더 부드럽게 보이지만 모델이 느려집니다. 프레임이 프로세서 시간을 너무 많이 쓰면 간격을 최대 50 ms까지 늘립니다.</translation>
    </message>
    <message>
        <source>KV caches on disk</source>
        <translation>디스크의 KV 캐시</translation>
    </message>
    <message>
        <source>Prompt tokens processed at a time</source>
        <translation>프롬프트의 토큰을 한 번에 몇 개씩 처리할지 정합니다</translation>
    </message>
    <message>
        <source>Restarts Sluice and opens the same session. A run in progress is stopped.</source>
        <translation>Sluice를 다시 시작하고 같은 세션을 엽니다. 진행 중인 실행은 중지합니다.</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>Sluice를 다음에 시작할 때 적용합니다.</translation>
    </message>
    <message>
        <source>Stronger colors, even if the system doesn&apos;t ask for them.</source>
        <translation>시스템이 요구하지 않아도 더 뚜렷한 색을 씁니다.</translation>
    </message>
    <message>
        <source>Let macOS draw buttons, fields and lists</source>
        <translation>버튼과 입력란, 목록을 macOS가 그리게 합니다</translation>
    </message>
    <message>
        <source>Size of all text</source>
        <translation>모든 글자의 크기입니다</translation>
    </message>
    <message>
        <source>Native Mac controls</source>
        <translation>Mac의 자체 컨트롤</translation>
    </message>
    <message>
        <source>Without a GPU, quantized weights are dequantized to float32 when a model is opened, if they fit into half of the memory limit. Quantized weights take less memory and are several times slower. Takes effect when a model is opened.</source>
        <translation>GPU가 없으면 모델을 열 때 양자화된 가중치를 float32로 역양자화합니다. 단, 메모리 한도의 절반에 들어갈 때만 합니다. 양자화된 가중치는 메모리를 덜 쓰지만 몇 배 느립니다. 모델을 열 때 적용됩니다.</translation>
    </message>
    <message>
        <source>A new session keeps the current controls.</source>
        <translation>새 세션은 지금의 생성 옵션을 이어서 씁니다.</translation>
    </message>
    <message>
        <source>A new session begins with the controls that were saved here.</source>
        <translation>새 세션은 여기에 저장한 생성 옵션으로 시작합니다.</translation>
    </message>
    <message>
        <source>Save the window&apos;s current controls for new sessions.</source>
        <translation>지금 창의 생성 옵션을 저장하여 새 세션을 시작할 때 씁니다.</translation>
    </message>
    <message>
        <source>Reset everything in this window to its default</source>
        <translation>이 창의 모든 설정을 기본값으로 되돌립니다</translation>
    </message>
    <message>
        <source>Restore the settings from before the reset</source>
        <translation>초기화하기 전의 설정으로 되돌립니다</translation>
    </message>
    <message>
        <source>Max tokens: until the context window is full.</source>
        <translation>최대 토큰: 컨텍스트 창이 찰 때까지.</translation>
    </message>
    <message>
        <source>No alternatives are recorded. All other controls are saved, too.</source>
        <translation>후보를 기록하지 않습니다. 나머지 생성 옵션도 함께 저장합니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n alternatives are recorded per token. All other controls are saved, too.</source>
        <comment>%n alternative is recorded per token. All other controls are saved, too.</comment>
        <translation>
            <numerusform>토큰마다 후보 %n개를 기록합니다. 나머지 생성 옵션도 함께 저장합니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory for models and their caches; 0 is automatic</source>
        <translation>모델과 캐시가 차지할 수 있는 메모리입니다. 0이면 자동입니다</translation>
    </message>
    <message>
        <source>Memory for the KV caches of other conversations; 0 is automatic</source>
        <translation>다른 대화의 KV 캐시가 차지할 수 있는 메모리입니다. 0이면 자동입니다</translation>
    </message>
    <message>
        <source>Disk space for the KV caches of your sessions; 0 is off</source>
        <translation>세션의 KV 캐시가 디스크에서 차지할 수 있는 크기이며, 0이면 끕니다</translation>
    </message>
    <message>
        <source>Uses less memory; much slower without a GPU</source>
        <translation>메모리를 덜 쓰지만 GPU가 없으면 훨씬 느립니다</translation>
    </message>
    <message>
        <source>Prefill step</source>
        <translation>프리필 단위</translation>
    </message>
    <message>
        <source>Keep weights quantized</source>
        <translation>가중치를 양자화된 상태로 유지</translation>
    </message>
    <message>
        <source>Frame interval</source>
        <translation>화면 갱신 간격</translation>
    </message>
    <message>
        <source>Models that need more memory are refused before loading, and MLX frees its buffers to stay below the limit. Takes effect at once, or after the current run. A loaded model stays loaded.</source>
        <translation>더 많은 메모리가 필요한 모델은 불러오기 전에 거절하고, mlx는 한도를 지키도록 버퍼를 비웁니다. 바로 적용하며, 실행 중이면 그 실행이 끝난 뒤 적용합니다. 열려 있는 모델은 그대로 둡니다.</translation>
    </message>
    <message>
        <source>Saves KV caches to the disk when idle and on quit, so old sessions answer at once after a restart. The caches contain the conversations and are deleted with them. Sluice writes at most four times this size from start to quit, to spare the SSD.</source>
        <translation>쉬는 동안과 종료할 때 KV 캐시를 디스크에 저장하므로, 다시 시작한 뒤에도 이전 세션이 바로 답합니다. 캐시에는 대화 내용이 들어 있으며 대화와 함께 삭제됩니다. SSD를 아끼도록 시작부터 종료까지 이 크기의 네 배까지만 씁니다.</translation>
    </message>
    <message>
        <source>Stored now: {size}. Since startup: {written} written, {time} of prefill saved.</source>
        <translation>지금 저장된 크기: {size}. 시작한 뒤로 {written}를 썼고, 프리필 시간 {time}를 아꼈습니다.</translation>
    </message>
    <message>
        <source>Interval between updates of the window during a run</source>
        <translation>실행 중에 창을 갱신하는 간격</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>엔진</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>창</translation>
    </message>
    <message>
        <source>The limit is {size} now.</source>
        <translation>지금 한도는 {size}입니다.</translation>
    </message>
    <message>
        <source>As last set</source>
        <translation>마지막 값</translation>
    </message>
    <message>
        <source>As saved</source>
        <translation>저장한 값</translation>
    </message>
    <message>
        <source>New sessions begin with</source>
        <translation>새 세션의 시작 값</translation>
    </message>
    <message>
        <source>Default settings</source>
        <translation>기본 설정</translation>
    </message>
    <message>
        <source>Reset All Settings</source>
        <translation>모든 설정 초기화</translation>
    </message>
    <message>
        <source>Save Current Controls</source>
        <translation>지금 값 저장</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>저장된 값</translation>
    </message>
    <message>
        <source>Applies to new sessions. Existing sessions keep their controls.</source>
        <translation>다음 새 세션부터 적용합니다. 이미 있는 세션은 저마다의 생성 옵션을 유지합니다.</translation>
    </message>
    <message>
        <source>New sessions</source>
        <translation>새 세션</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>모든 설정</translation>
    </message>
    <message>
        <source>Resets everything in this window, at once. Sessions, models, presets, keyboard shortcuts and the controls of the window stay as they are.</source>
        <translation>이 창의 모든 설정을 바로 초기화합니다. 세션, 모델, 프리셋, 단축키, 창의 생성 옵션은 그대로 둡니다.</translation>
    </message>
    <message>
        <source>Folders of models</source>
        <translation>모델 폴더</translation>
    </message>
    <message>
        <source>The picker lists the models in these folders too.</source>
        <translation>모델 선택기가 이 폴더의 모델도 보여 줍니다.</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>추가…</translation>
    </message>
    <message>
        <source>Show the downloads in the file manager</source>
        <translation>다운로드 폴더를 파일 관리자에서 보기</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>변경…</translation>
    </message>
    <message>
        <source>Choose another folder for downloads</source>
        <translation>다운로드할 다른 폴더를 고릅니다</translation>
    </message>
    <message>
        <source>Restart Sluice</source>
        <translation>Sluice 다시 시작</translation>
    </message>
    <message>
        <source>Show the sessions&apos; folder in the file manager</source>
        <translation>세션 폴더를 파일 관리자에서 보기</translation>
    </message>
    <message>
        <source>Show the logs in the file manager</source>
        <translation>로그를 파일 관리자에서 보기</translation>
    </message>
    <message>
        <source>{folder}: sessions, runs and settings</source>
        <translation>{folder}: 세션, 실행, 설정</translation>
    </message>
    <message>
        <source>More folders of models</source>
        <translation>추가 모델 폴더</translation>
    </message>
    <message>
        <source>The model picker lists the models in these folders. Quantized copies are saved beside their original.</source>
        <translation>모델 선택기가 이 폴더들의 모델을 보여 줍니다. 양자화한 사본은 원본 옆에 저장됩니다.</translation>
    </message>
    <message>
        <source>{folder}: errors, without prompts or answers</source>
        <translation>{folder}: 오류 기록이며 프롬프트와 답변은 없습니다</translation>
    </message>
    <message>
        <source>Use the folder set by HF_HOME or HF_HUB_CACHE in your shell</source>
        <translation>셸의 HF_HOME 또는 HF_HUB_CACHE에 설정된 폴더를 씁니다</translation>
    </message>
    <message>
        <source>Downloads (Hugging Face cache)</source>
        <translation>다운로드 (Hugging Face 캐시)</translation>
    </message>
    <message>
        <source>Sessions and settings</source>
        <translation>세션과 설정</translation>
    </message>
    <message>
        <source>Add a folder to the list</source>
        <translation>목록에 폴더를 추가합니다</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>로그</translation>
    </message>
    <message>
        <source>Sluice&apos;s own files</source>
        <translation>Sluice의 파일</translation>
    </message>
    <message>
        <source>Use the default folder, which other programs use too</source>
        <translation>다른 프로그램도 쓰는 기본 폴더를 씁니다</translation>
    </message>
    <message>
        <source>Use Default</source>
        <translation>기본 폴더 사용</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>크기를 재는 중 …</translation>
    </message>
    <message>
        <source>{folder}: {size}. The next start uses {next}. Existing models are not moved.</source>
        <translation>{folder}: {size}. Sluice를 다시 시작하면 {next}을(를) 사용합니다. 여기 있는 모델은 옮기지 않습니다.</translation>
    </message>
    <message>
        <source>{known} Your shell is set to {folder}.</source>
        <translation>{known} 셸에는 {folder}이(가) 설정되어 있습니다.</translation>
    </message>
    <message>
        <source>Use the Shell&apos;s</source>
        <translation>셸의 폴더 사용</translation>
    </message>
    <message>
        <source>{folder}: {size}. Other programs that use Hugging Face share this folder.</source>
        <translation>{folder}: {size}. Hugging Face를 쓰는 다른 프로그램과 함께 사용합니다.</translation>
    </message>
    <message>
        <source>Choose a Folder for Downloads</source>
        <translation>다운로드 폴더 선택</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>라이트 또는 다크</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>고대비</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>글자 크기</translation>
    </message>
    <message>
        <source>The language of the program</source>
        <translation>프로그램이 쓰는 언어입니다</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>언어</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Enter sends; Shift+Enter makes a new line.</source>
        <translation>Enter로 보내고, Shift+Enter로 줄을 바꿉니다.</translation>
    </message>
    <message>
        <source>Enter makes a new line; {keys} sends.</source>
        <translation>Enter로 줄을 바꾸고, {keys}로 보냅니다.</translation>
    </message>
    <message>
        <source>Send with</source>
        <translation>보내기 키</translation>
    </message>
    <message>
        <source>Long tasks only</source>
        <translation>오래 걸린 것만</translation>
    </message>
    <message>
        <source>When the system shows a notification while another program is in front</source>
        <translation>다른 프로그램이 앞에 있을 때 시스템이 알림을 표시하는 경우</translation>
    </message>
    <message>
        <source>Shift+Enter makes a new line.</source>
        <translation>Shift+Enter로 줄을 바꿉니다.</translation>
    </message>
    <message>
        <source>Enter makes a new line.</source>
        <translation>Enter로 줄을 바꿉니다.</translation>
    </message>
    <message>
        <source>Applies to the whole program: answers, controls and graphs.</source>
        <translation>답변, 생성 옵션, 그래프 등 프로그램 전체에 적용합니다.</translation>
    </message>
    <message>
        <source>For finished runs, downloads and experiments. Long: at least 30 seconds.</source>
        <translation>끝난 실행, 다운로드, 실험을 알립니다. 오래 걸린 것은 30초 이상입니다.</translation>
    </message>
    <message>
        <source>Language and keyboard</source>
        <translation>언어와 키보드</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30일</translation>
    </message>
    <message>
        <source>90 days</source>
        <translation>90일</translation>
    </message>
    <message>
        <source>365 days</source>
        <translation>365일</translation>
    </message>
    <message>
        <source>Delete every session and every run for good, after a question</source>
        <translation>모든 세션과 실행을 완전히 삭제합니다. 한 번 더 묻습니다</translation>
    </message>
    <message>
        <source>Keep sessions</source>
        <translation>세션 보관 기간</translation>
    </message>
    <message>
        <source>Delete {sessions} and {runs} for good? This can&apos;t be undone.</source>
        <translation>{sessions}와 {runs}를 완전히 삭제할까요? 되돌릴 수 없습니다.</translation>
    </message>
    <message>
        <source>{sessions} and {runs}, with the prompts, the answers and the settings: {size} on the disk. This includes deleted sessions that can still be restored ({deleted}); they are removed after 30 days.</source>
        <translation>{sessions}와 {runs}, 그 프롬프트와 답변과 설정입니다. 디스크에서 {size}를 차지합니다. 아직 되살릴 수 있는 삭제한 세션({deleted})도 들어 있으며, 30일이 지나면 완전히 삭제합니다.</translation>
    </message>
    <message>
        <source>Sessions that were not changed for {days} days are deleted for good when Sluice starts. A notice announces it before. Pinned sessions and the open one stay.</source>
        <translation>{days}일 동안 바뀌지 않은 세션은 Sluice를 시작할 때 완전히 삭제합니다. 삭제하기 전에 미리 알리며, 고정한 세션과 열려 있는 세션은 남깁니다.</translation>
    </message>
    <message>
        <source>The next start deletes no sessions.</source>
        <translation>다음에 시작할 때 삭제할 세션은 없습니다.</translation>
    </message>
    <message numerus="yes">
        <source>The next start deletes %n sessions.</source>
        <comment>The next start deletes %n session.</comment>
        <translation>
            <numerusform>다음에 시작할 때 세션 %n개를 삭제합니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Token data</source>
        <translation>토큰별 기록</translation>
    </message>
    <message>
        <source>Retention</source>
        <translation>보관 기간</translation>
    </message>
    <message>
        <source>{size}: errors, without prompts or answers. The oldest log is deleted automatically.</source>
        <translation>{size}: 오류 기록이며 프롬프트와 답변은 없습니다. 가장 오래된 로그는 자동으로 삭제합니다.</translation>
    </message>
    <message>
        <source>Deletes all sessions and their runs, sessions that you deleted before, and the text in the prompt field. All of this is erased from the session database at once. Settings, presets and models stay.</source>
        <translation>모든 세션과 실행, 전에 삭제한 세션, 프롬프트 칸에 입력한 글을 삭제합니다. 모두 세션 데이터베이스에서 바로 지워집니다. 설정과 프리셋과 모델은 그대로 둡니다.</translation>
    </message>
    <message>
        <source>Delete All…</source>
        <translation>모두 삭제…</translation>
    </message>
    <message>
        <source>Sessions and runs</source>
        <translation>세션과 실행</translation>
    </message>
    <message>
        <source>Sent to others</source>
        <translation>외부로 보내는 것</translation>
    </message>
    <message>
        <source>Nothing. Sluice has no telemetry. It uses the network only when you search for or download models, use a server that you added, or open a page in the browser. At start it contacts the server whose model was open last, if any.</source>
        <translation>없습니다. Sluice는 사용 정보를 수집하지 않습니다. 모델을 찾거나 내려받을 때, 추가한 서버를 쓸 때, 브라우저에서 페이지를 열 때에만 네트워크를 씁니다. 시작할 때는 마지막으로 연 모델이 서버에 있으면 그 서버에 연결합니다.</translation>
    </message>
    <message>
        <source>counting …</source>
        <translation>세는 중 …</translation>
    </message>
    <message>
        <source>Stored on this computer</source>
        <translation>이 컴퓨터에 보관하는 것</translation>
    </message>
    <message>
        <source>Forever</source>
        <translation>계속</translation>
    </message>
    <message>
        <source>All sessions and runs</source>
        <translation>모든 세션과 실행</translation>
    </message>
    <message>
        <source>Time after which unchanged sessions are deleted</source>
        <translation>바뀌지 않은 세션을 삭제할 때까지의 기간</translation>
    </message>
    <message>
        <source>Not available during a run or while a model loads. Stop it first.</source>
        <translation>실행 중이거나 모델을 불러오는 동안에는 삭제할 수 없습니다. 먼저 중지하세요.</translation>
    </message>
    <message numerus="yes">
        <source>%n sessions</source>
        <comment>%n session</comment>
        <translation>
            <numerusform>세션 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>{sessions} and {runs}, with the prompts, the answers and the settings: {size} on the disk.</source>
        <translation>{sessions}와 {runs}, 그 프롬프트와 답변과 설정입니다. 디스크에서 {size}를 차지합니다.</translation>
    </message>
    <message>
        <source>{tokens}, with their times and, where they were recorded, their alternatives: {size} of the above.</source>
        <translation>{tokens}의 시각과, 기록한 경우 후보까지입니다. 위 크기 가운데 {size}입니다.</translation>
    </message>
    <message>
        <source>Sessions stay until you delete them.</source>
        <translation>직접 삭제할 때까지 세션을 보관합니다.</translation>
    </message>
    <message>
        <source>General</source>
        <translation>일반</translation>
    </message>
    <message>
        <source>New Sessions</source>
        <translation>새 세션</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>폴더</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>개인 정보</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>고급</translation>
    </message>
    <message>
        <source>Pages of the settings</source>
        <translation>설정 페이지</translation>
    </message>
    <message>
        <source>Choose a page</source>
        <translation>페이지를 선택합니다</translation>
    </message>
    <message>
        <source>All sessions and runs are deleted.</source>
        <translation>모든 세션과 실행을 삭제했습니다.</translation>
    </message>
    <message>
        <source>Asking {name} …</source>
        <translation>{name}에 물어보는 중 …</translation>
    </message>
    <message>
        <source>Connect anyway</source>
        <translation>그래도 연결</translation>
    </message>
    <message>
        <source>Temperature {temperature}, top-p {top_p}, top-k {top_k}, min-p {min_p}.</source>
        <translation>온도 {temperature}, top-p {top_p}, top-k {top_k}, min-p {min_p}.</translation>
    </message>
    <message numerus="yes">
        <source>At most %n tokens.</source>
        <comment>At most %n token.</comment>
        <translation>
            <numerusform>최대 %n토큰.</numerusform>
        </translation>
    </message>
    <message>
        <source>No system prompt.</source>
        <translation>시스템 프롬프트 없음.</translation>
    </message>
    <message>
        <source>System prompt “{beginning}”.</source>
        <translation>시스템 프롬프트 “{beginning}”.</translation>
    </message>
    <message>
        <source>{file} is not a regular file, so it isn&apos;t read.</source>
        <translation>{file} 파일은 일반 파일이 아니어서 읽지 않습니다.</translation>
    </message>
    <message>
        <source>Remove it from the folder, or choose another model.</source>
        <translation>폴더에서 그 파일을 빼거나 다른 모델을 선택하세요.</translation>
    </message>
    <message>
        <source>{file} has {size} MB, but at most {limit} MB are allowed.</source>
        <translation>{file} 파일의 크기가 {size} MB인데, 이런 파일은 최대 {limit} MB입니다.</translation>
    </message>
    <message>
        <source>Choose another copy of the model.</source>
        <translation>이 모델의 다른 사본을 선택하세요.</translation>
    </message>
    <message>
        <source>A ring needs at least two processes.</source>
        <translation>링에는 프로세스가 둘 이상 있어야 합니다.</translation>
    </message>
    <message>
        <source>Add a host.</source>
        <translation>호스트를 추가하세요.</translation>
    </message>
    <message>
        <source>“{name}” is not a valid ssh host name.</source>
        <translation>“{name}”은(는) ssh가 받는 이름이 아닙니다.</translation>
    </message>
    <message>
        <source>Enter a name as in ssh NAME, or 127.0.0.1 for this computer.</source>
        <translation>ssh에 쓰는 이름을 입력하세요. 이 컴퓨터는 127.0.0.1입니다.</translation>
    </message>
    <message>
        <source>The ring needs an IP address of {name} that the other hosts can reach.</source>
        <translation>다른 호스트가 닿을 수 있는 {name}의 IP 주소가 링에 필요합니다.</translation>
    </message>
    <message>
        <source>Enter an IP address such as 192.168.1.20.</source>
        <translation>192.168.1.20처럼 입력하세요.</translation>
    </message>
    <message>
        <source>The first host has to be this computer, since it answers the requests.</source>
        <translation>첫 번째 호스트가 답하며, 이 컴퓨터여야 합니다.</translation>
    </message>
    <message>
        <source>{count} processes can&apos;t divide the attention heads of this model evenly.</source>
        <translation>프로세스 {count}개로는 이 모델의 헤드를 똑같이 나눌 수 없어, 잘못된 텍스트를 쓰게 됩니다.</translation>
    </message>
    <message>
        <source>Use another number of hosts.</source>
        <translation>호스트의 수를 바꾸세요.</translation>
    </message>
    <message>
        <source>Put 127.0.0.1 first.</source>
        <translation>127.0.0.1을 맨 위에 두세요.</translation>
    </message>
    <message>
        <source>Copy: {what}</source>
        <translation>복사: {what}</translation>
    </message>
    <message>
        <source>Serve a model</source>
        <translation>모델 제공</translation>
    </message>
    <message>
        <source>Serve This Model</source>
        <translation>이 모델 제공하기</translation>
    </message>
    <message>
        <source>A&amp;cross machines</source>
        <translation>여러 컴퓨터에 나누기(&amp;C)</translation>
    </message>
    <message>
        <source>Across machines</source>
        <translation>여러 컴퓨터에 나누기</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>연결</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>시험하기(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Port</source>
        <translation>포트(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>주소(&amp;A)</translation>
    </message>
    <message>
        <source>Addresses at which the other hosts reach it, separated by commas</source>
        <translation>다른 호스트가 이곳에 닿는 주소입니다. 여럿이면 쉼표로 나눕니다</translation>
    </message>
    <message>
        <source>One row for each process; the first is this computer. F2 edits a cell.</source>
        <translation>프로세스마다 한 줄이며 첫 줄은 이 컴퓨터입니다. F2로 칸을 고칩니다.</translation>
    </message>
    <message>
        <source>Add a host that runs one process; at first it is this computer</source>
        <translation>프로세스 하나를 실행할 호스트를 추가합니다. 처음에는 이 컴퓨터입니다</translation>
    </message>
    <message>
        <source>Remove the selected row</source>
        <translation>선택한 줄을 뺍니다</translation>
    </message>
    <message>
        <source>Last lines of the server&apos;s output</source>
        <translation>서버 출력의 마지막 줄들</translation>
    </message>
    <message>
        <source>Load the model into a separate process and serve it</source>
        <translation>모델을 별도 프로세스에 불러와 제공합니다</translation>
    </message>
    <message>
        <source>End the server process and its running requests</source>
        <translation>서버 프로세스와 진행 중인 요청을 끝냅니다</translation>
    </message>
    <message>
        <source>Base URL for other programs</source>
        <translation>다른 프로그램에 쓰는 기본 URL</translation>
    </message>
    <message>
        <source>Sends a test request from a terminal</source>
        <translation>터미널에서 시험 요청을 보냅니다</translation>
    </message>
    <message>
        <source>Test command</source>
        <translation>시험 명령</translation>
    </message>
    <message>
        <source>Distribute the model over several processes, each with a part of it in memory</source>
        <translation>모델을 여러 프로세스에 나누어 각자 일부만 메모리에 둡니다</translation>
    </message>
    <message>
        <source>Close this window; the server keeps running (Esc)</source>
        <translation>이 창을 닫습니다. 서버는 계속 실행됩니다(Esc)</translation>
    </message>
    <message>
        <source>The model is in memory twice while it is served: Sluice itself uses {size} for it.</source>
        <translation>제공하는 동안 모델이 메모리에 두 번 있습니다. Sluice 자체가 {size}를 씁니다.</translation>
    </message>
    <message>
        <source>Add it to the server list, and open its model</source>
        <translation>서버 목록에 추가하고 모델을 엽니다</translation>
    </message>
    <message>
        <source>The server runs, but doesn&apos;t answer. If that continues, stop and restart it.</source>
        <translation>서버가 실행 중이지만 응답하지 않습니다. 계속되면 중지하고 다시 시작하세요.</translation>
    </message>
    <message>
        <source>Comman&amp;d</source>
        <translation>명령(&amp;D)</translation>
    </message>
    <message>
        <source>Ready at {address}, for programs on this computer only.</source>
        <translation>{address}에서 준비되었습니다. 이 컴퓨터의 프로그램만 쓸 수 있습니다.</translation>
    </message>
    <message>
        <source>The server ended and restarts in {seconds} s. Last line of its log: {said}</source>
        <translation>서버가 끝났고 {seconds}초 뒤에 다시 시작합니다. 로그의 마지막 줄: {said}</translation>
    </message>
    <message>
        <source>The server ended and doesn&apos;t restart. Last line of its log: {said}</source>
        <translation>서버가 끝났고 다시 시작하지 않습니다. 로그의 마지막 줄: {said}</translation>
    </message>
    <message>
        <source>Not running. Start loads the model a second time, into the server. Connect then unloads Sluice&apos;s own copy.</source>
        <translation>실행되고 있지 않습니다. 시작하면 모델을 서버에 한 번 더 불러옵니다. 그 뒤 연결하면 Sluice가 가진 것을 메모리에서 내립니다.</translation>
    </message>
    <message>
        <source>API key that clients have to send. It is stored in the keychain, in no file of Sluice.</source>
        <translation>클라이언트가 보내야 하는 API 키입니다. 키체인에 저장하며 Sluice의 파일에는 저장하지 않습니다</translation>
    </message>
    <message>
        <source>Port at which the server listens; a free one is suggested</source>
        <translation>서버가 연결을 받는 포트입니다. 비어 있는 포트를 제안합니다</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>시작하는 중 …</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>포트</translation>
    </message>
    <message>
        <source>Name for ssh</source>
        <translation>ssh 이름</translation>
    </message>
    <message>
        <source>IP addresses</source>
        <translation>IP 주소</translation>
    </message>
    <message>
        <source>Host name as in “ssh NAME”. 127.0.0.1 is this computer; it may have several rows.</source>
        <translation>“ssh 이름”에 쓰는 이름입니다. 127.0.0.1은 이 컴퓨터이며 여러 번 넣을 수 있습니다</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>호스트</translation>
    </message>
    <message>
        <source>Add host</source>
        <translation>호스트 추가</translation>
    </message>
    <message>
        <source>Remove host</source>
        <translation>호스트 빼기</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>로그</translation>
    </message>
    <message>
        <source>The output of the server appears here.</source>
        <translation>서버의 출력이 여기에 나타납니다.</translation>
    </message>
    <message>
        <source>Start it first, and wait until it is ready.</source>
        <translation>먼저 시작하고 준비될 때까지 기다리세요.</translation>
    </message>
    <message>
        <source>Served here</source>
        <translation>여기서 제공 중</translation>
    </message>
    <message>
        <source>Open a local model first.</source>
        <translation>먼저 이 컴퓨터의 모델을 여세요.</translation>
    </message>
    <message>
        <source>mlx-lm serves an adapter in one process only. Remove the hosts, or open the model without the adapter.</source>
        <translation>mlx-lm은 프로세스 하나로만 어댑터를 제공합니다. 호스트를 빼거나 어댑터 없이 모델을 여세요.</translation>
    </message>
    <message>
        <source>Sluice starts processes on this computer only. For {hosts}, run the command in a terminal. It needs ssh without a password, and mlx-lm and the model at the same paths.</source>
        <translation>Sluice는 이 컴퓨터에서만 프로세스를 시작합니다. {hosts}에는 터미널에서 명령을 실행하세요. 암호 없는 ssh와, 같은 경로에 있는 mlx-lm과 모델이 필요합니다.</translation>
    </message>
    <message>
        <source>This key has invalid characters.</source>
        <translation>이 키에 쓸 수 없는 문자가 있습니다.</translation>
    </message>
    <message>
        <source>Use letters and digits, without spaces.</source>
        <translation>공백 없이 글자와 숫자를 쓰세요.</translation>
    </message>
    <message>
        <source>Another program uses port {port}.</source>
        <translation>포트 {port}번은 다른 프로그램이 쓰고 있습니다.</translation>
    </message>
    <message>
        <source>Choose another, such as {port}.</source>
        <translation>다른 포트를 고르세요. 예: {port}.</translation>
    </message>
    <message>
        <source>The list of hosts could not be written ({why}).</source>
        <translation>호스트 목록을 쓰지 못했습니다({why}).</translation>
    </message>
    <message>
        <source>Free disk space, or choose another folder for Sluice&apos;s data.</source>
        <translation>공간을 비우거나 Sluice의 데이터 폴더를 다른 곳으로 고르세요.</translation>
    </message>
    <message>
        <source>The prompt needs {needed:.1f} GB for the KV cache, and {free:.1f} GB are free.</source>
        <translation>프롬프트의 KV 캐시에 {needed:.1f} GB가 필요한데 {free:.1f} GB만 비어 있습니다.</translation>
    </message>
    <message>
        <source>{file} has a list of {count} entries, more than any known model.</source>
        <translation>{file}에 같은 종류의 항목이 {count}개 있는데, 이렇게 많은 모델은 없습니다.</translation>
    </message>
    <message>
        <source>The branch wasn&apos;t changed, because the prompt has unsent text. Send or remove it to show the match on the other branch.</source>
        <translation>페이지에 보내지 않은 글이 있어 그대로 두었습니다. 보내거나 지운 뒤 다시 열면 다른 가지에서 찾은 내용이 그 자리에 나타납니다.</translation>
    </message>
    <message>
        <source>replay: {reason}</source>
        <translation>재현: {reason}</translation>
    </message>
    <message>
        <source>drag to measure</source>
        <translation>끌어서 재기</translation>
    </message>
    <message>
        <source>{speed} mean</source>
        <translation>평균 {speed}</translation>
    </message>
    <message>
        <source>{speed} limit</source>
        <translation>한계 {speed}</translation>
    </message>
    <message>
        <source>{speed} pinned</source>
        <translation>고정 {speed}</translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation>{0}분</translation>
    </message>
    <message>
        <source>At Reading Speed</source>
        <translation>읽는 속도로</translation>
    </message>
    <message>
        <source>At the Original Speed</source>
        <translation>원래 속도로</translation>
    </message>
    <message>
        <source>Slowed 10 Times</source>
        <translation>10배 느리게</translation>
    </message>
    <message>
        <source>Slowed 100 Times</source>
        <translation>100배 느리게</translation>
    </message>
    <message>
        <source>▷ Play back</source>
        <translation>▷ 재생</translation>
    </message>
    <message>
        <source>Stop playback</source>
        <translation>재생 중지</translation>
    </message>
    <message>
        <source>Plays the recorded answer back, with its curve and numbers. Nothing is generated.</source>
        <translation>기록된 답을 곡선, 숫자와 함께 재생합니다. 아무것도 새로 생성하지 않습니다.</translation>
    </message>
    <message>
        <source>Play back</source>
        <translation>재생</translation>
    </message>
    <message>
        <source>Playback speed</source>
        <translation>재생 속도</translation>
    </message>
    <message>
        <source>This text is too long for the model&apos;s tokenizer.</source>
        <translation>이 글은 모델의 토크나이저가 다루기에 너무 깁니다.</translation>
    </message>
    <message>
        <source>This model&apos;s tokenizer is written in Python. Sluice opens only those of the tokenizers library.</source>
        <translation>이 모델의 토크나이저는 Python으로 작성되었습니다. Sluice는 tokenizers 라이브러리의 토크나이저만 엽니다.</translation>
    </message>
    <message>
        <source>This model&apos;s tokenizer is random: the same text would give other tokens each time.</source>
        <translation>이 모델의 토크나이저는 무작위로 나눕니다. 같은 글도 매번 다른 토큰이 됩니다.</translation>
    </message>
    <message>
        <source>This model&apos;s tokenizer can&apos;t be opened: Sluice doesn&apos;t support its setting “{setting}”.</source>
        <translation>이 모델의 토크나이저는 열지 않습니다. Sluice가 지원하지 않는 설정이 있습니다(“{setting}”).</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>다시 시도</translation>
    </message>
    <message>
        <source>Sluice crashed while it processed the draft for {model}. The draft is saved, but not processed automatically.</source>
        <translation>{model} 모델을 위해 초안을 읽던 중에 Sluice가 종료되었습니다. 초안은 그대로 있으며, 저절로 다시 읽지 않습니다.</translation>
    </message>
    <message>
        <source>Sluice crashed while it loaded {model}.</source>
        <translation>{model} 모델을 열던 중에 Sluice가 종료되었습니다.</translation>
    </message>
    <message>
        <source>The bundled model is open instead.</source>
        <translation>대신 Sluice에 들어 있는 모델을 열었습니다.</translation>
    </message>
    <message>
        <source>The model that comes with Sluice is open instead.</source>
        <translation>대신 Sluice에 들어 있는 모델을 열었습니다.</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>아직 없음</translation>
    </message>
    <message>
        <source>Copy this code</source>
        <translation>이 코드 복사</translation>
    </message>
    <message>
        <source>Reached max tokens ({written})</source>
        <translation>최대 토큰에서 멈춤 ({written})</translation>
    </message>
    <message>
        <source>Stop string “{text}” reached</source>
        <translation>중지 문자열 “{text}” 나옴</translation>
    </message>
    <message>
        <source>Stopped by you</source>
        <translation>사용자가 중지함</translation>
    </message>
    <message>
        <source>The context is full: {why}</source>
        <translation>컨텍스트가 가득 찼습니다: {why}</translation>
    </message>
    <message>
        <source>The run failed. The engine gave no reason</source>
        <translation>엔진이 이유를 알리지 않고 실패했습니다</translation>
    </message>
    <message>
        <source>Error message</source>
        <translation>오류 원문</translation>
    </message>
    <message>
        <source>Replay: {reason}</source>
        <translation>다시 실행: {reason}</translation>
    </message>
    <message>
        <source>The old path is now {file}.</source>
        <translation>{file}(으)로 보관했습니다.</translation>
    </message>
    <message>
        <source>config.json has a value that is invalid for its model type.</source>
        <translation>config.json에 이 유형의 모델에는 있을 수 없는 값이 있습니다.</translation>
    </message>
    <message>
        <source>The session database is still opening.</source>
        <translation>세션 데이터베이스를 아직 여는 중입니다.</translation>
    </message>
    <message>
        <source>The session database is still opening. Your prompt is sent when it is open.</source>
        <translation>세션 데이터베이스를 아직 여는 중입니다. 열리면 프롬프트를 보냅니다.</translation>
    </message>
    <message>
        <source>This page is the prompt of the conversation. If you send it, the conversation stays unchanged.</source>
        <translation>이 페이지는 대화의 프롬프트입니다. 보내도 대화는 바뀌지 않습니다.</translation>
    </message>
    <message>
        <source>Keep the earlier prompt unchanged (Esc)</source>
        <translation>앞서 보낸 프롬프트를 고치지 않고 그대로 둡니다 (Esc)</translation>
    </message>
    <message>
        <source>Keep the text in the field</source>
        <translation>입력란에 그대로 둡니다</translation>
    </message>
    <message>
        <source>Don&apos;t wait for the session database: nothing is saved until Sluice quits</source>
        <translation>세션 데이터베이스를 기다리지 않습니다. Sluice를 종료할 때까지 아무것도 저장되지 않습니다</translation>
    </message>
    <message>
        <source>Send without saving</source>
        <translation>저장하지 않고 보내기</translation>
    </message>
    <message>
        <source>Editing an earlier prompt. Sending it makes a branch; ‹ returns to the old one.</source>
        <translation>이전 프롬프트를 고치는 중입니다. 보내면 가지가 생기고, ‹로 이전 것으로 돌아갑니다.</translation>
    </message>
    <message>
        <source>Not saved yet: the disk is slow to write the last changes.</source>
        <translation>아직 저장되지 않았습니다. 디스크가 마지막 변경 내용을 쓰는 데 오래 걸립니다.</translation>
    </message>
    <message>
        <source>{level} between {few} tokens and the last {few} of {many}</source>
        <translation>토큰 {few}개와 {many}개 가운데 마지막 {few}개 사이에는 {level}</translation>
    </message>
    <message>
        <source>{few} alone</source>
        <comment>so many tokens, as the shorter run has</comment>
        <translation>{few}개뿐일 때</translation>
    </message>
    <message>
        <source>within the longest run no significant trend</source>
        <translation>가장 긴 실행 안에는 유의한 경향 없음</translation>
    </message>
    <message numerus="yes">
        <source>At least %n rounds are needed for a significant result.</source>
        <comment>At least %n round is needed for a significant result.</comment>
        <translation>
            <numerusform>유의한 결과를 얻으려면 적어도 %n회가 필요합니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>speed between batches of {count} and one by one</source>
        <translation>{count}개씩 배치로 실행할 때와 하나씩 실행할 때의 속도</translation>
    </message>
    <message>
        <source>the seeds agree more with {most} ({high} of the bigrams) than with {least} ({low})</source>
        <translation>시드들은 {least}({low})보다 {most}에서 토큰 쌍이 더 많이 일치합니다({high})</translation>
    </message>
    <message>
        <source>the seeds agree most with {most} ({high} of the bigrams) and least with {least} ({low})</source>
        <translation>시드 간 일치는 {most}에서 가장 높고(토큰 쌍의 {high}), {least}에서 가장 낮습니다({low})</translation>
    </message>
    <message>
        <source>{arm} repeats itself most: {share} of its 4-grams occurred before</source>
        <translation>{arm}에서 반복이 가장 많습니다. 4-gram의 {share}이(가) 앞에 나온 것입니다</translation>
    </message>
    <message>
        <source>Texts by variant</source>
        <translation>갈래별 글</translation>
    </message>
    <message>
        <source>no bigram is repeated in the length that the texts share</source>
        <translation>텍스트들이 공유하는 길이 안에서 반복되는 토큰 쌍이 없습니다</translation>
    </message>
    <message>
        <source>{level} between {least} and {most}: {shares} of the bigrams are distinct</source>
        <translation>{least}와 {most} 사이: {level}. 모든 토큰 쌍 가운데 서로 다른 것의 비율은 {shares}입니다</translation>
    </message>
    <message>
        <source>variety</source>
        <translation>다양성</translation>
    </message>
    <message>
        <source>{most} gives the most varied text, {least} the least: {high} and {low} of the bigrams are distinct</source>
        <translation>글은 {most}에서 가장 다양하고 {least}에서 가장 단조롭습니다. 서로 다른 토큰 쌍의 비율은 {high}와(과) {low}입니다</translation>
    </message>
    <message numerus="yes">
        <source>all %n seeds gave the same text with {arms}</source>
        <translation>
            <numerusform>{arms}에서는 시드 %n개의 글이 모두 같습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>the text is the same in each run with {arms}</source>
        <translation>{arms}에서는 실행마다 글이 같습니다</translation>
    </message>
    <message>
        <source>{count} of {all} settings</source>
        <translation>설정 {all}개 중 {count}개</translation>
    </message>
    <message>
        <source>compared with {arm}</source>
        <translation>{arm}과(와) 비교</translation>
    </message>
    <message numerus="yes">
        <source>the tokens are the same in %n rounds</source>
        <comment>the tokens are the same in %n round</comment>
        <translation>
            <numerusform>%n회 모두 토큰이 같습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>{clause}, up to the end of the shorter run</source>
        <translation>{clause}(둘 다 있는 데까지)</translation>
    </message>
    <message numerus="yes">
        <source>the text differs in {count} of %n rounds, but also within one variant</source>
        <comment>the text differs in {count} of %n round, but also within one variant</comment>
        <translation>
            <numerusform>글이 %n회 중 {count}회에서 다르지만, 같은 갈래 안에서도 글이 서로 다릅니다</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the text differs from token {place} on in %n rounds</source>
        <comment>the text differs from token {place} on in %n round</comment>
        <translation>
            <numerusform>%n회 모두 글이 토큰 {place}부터 다릅니다</numerusform>
        </translation>
    </message>
    <message>
        <source>this is the first round; other rounds have different tokens</source>
        <translation>이것은 1회차이고, 다른 회차에서는 토큰이 다릅니다</translation>
    </message>
    <message>
        <source>Mean speed over the last 40 tokens: the speed at the 20th from the end.</source>
        <translation>마지막 40개 토큰에 걸친 평균 속도입니다. 끝에서 20번째 토큰에서의 속도와 같습니다.</translation>
    </message>
    <message>
        <source>Speed of the second variant ÷ speed of the first, paired by round, with the bounds of its confidence interval.</source>
        <translation>두 번째 갈래가 첫 번째 갈래의 몇 배로 빠른지를 회차마다 견준 값입니다. 최소와 최대는 그 값이 놓인 범위입니다.</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>다른 프로그램</translation>
    </message>
    <message>
        <source>Share of CPU time used by other programs during the measurement. GPU time isn&apos;t included.</source>
        <translation>재는 동안 다른 프로그램이 쓴, 모든 프로세서 시간의 몫입니다. 연산 장치의 시간은 알 수 없습니다.</translation>
    </message>
    <message numerus="yes">
        <source>over the first %n tokens</source>
        <comment>over the first %n token</comment>
        <translation>
            <numerusform>처음 토큰 %n개에 걸친 값입니다</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{ended} in {count} of %n runs</source>
        <comment>{ended} in {count} of %n run</comment>
        <translation>
            <numerusform>실행 %n번 중 {count}번은 {ended}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ended after {few}%n tokens ({reason})</source>
        <comment>ended after {few}%n token ({reason})</comment>
        <translation>
            <numerusform>토큰 {few}%n개 뒤에 끝났습니다({reason})</numerusform>
        </translation>
    </message>
    <message>
        <source>speed</source>
        <translation>속도</translation>
    </message>
    <message>
        <source>{amount} faster than {other}</source>
        <translation>{other}보다 {amount} 빠른 속도</translation>
    </message>
    <message>
        <source>{amount} faster</source>
        <translation>{amount} 빠른 속도</translation>
    </message>
    <message>
        <source>{amount} slower than {other}</source>
        <translation>{other}보다 {amount} 느린 속도</translation>
    </message>
    <message>
        <source>{amount} slower</source>
        <translation>{amount} 느린 속도</translation>
    </message>
    <message>
        <source>about {amount}</source>
        <translation>약 {amount}</translation>
    </message>
    <message>
        <source>no significant difference in {what}</source>
        <translation>{what}에 유의한 차이 없음</translation>
    </message>
    <message numerus="yes">
        <source>not significant yet: {difference} ({range}; %n are needed)</source>
        <comment>not significant yet: {difference} ({range}; %n are needed)</comment>
        <translation>
            <numerusform>아직 유의하지 않음: {difference} ({range}, %n회 필요)</numerusform>
        </translation>
    </message>
    <message>
        <source>{clause} ({range})</source>
        <translation>{clause}({range})</translation>
    </message>
    <message numerus="yes">
        <source>{range}, %n rounds</source>
        <comment>{range}, %n round</comment>
        <translation>
            <numerusform>{range}, %n회</numerusform>
        </translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low}~{high}</translation>
    </message>
    <message>
        <source>Nothing can be compared: {arms} has no runs.</source>
        <translation>견줄 수 없습니다. 실행이 없는 갈래: {arms}.</translation>
    </message>
    <message>
        <source>{arm} ({count} of {all} runs)</source>
        <translation>{arm}({all}번 중 {count}번)</translation>
    </message>
    <message>
        <source>Other programs used {share} of the CPU time in every round.</source>
        <translation>모든 회차에서 다른 프로그램이 프로세서의 {share}를 썼습니다.</translation>
    </message>
    <message numerus="yes">
        <source>Other programs used {share} of the CPU time in %n of {all} rounds ({rounds}).</source>
        <comment>Other programs used {share} of the CPU time in %n of {all} rounds ({rounds}).</comment>
        <translation>
            <numerusform>{all}회 중 %n회({rounds}회차)에서 다른 프로그램이 프로세서의 {share}를 썼습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The output of this model&apos;s chat template is too large, so it was stopped.</source>
        <translation>이 모델의 채팅 템플릿이 어떤 프롬프트보다도 큰 것을 만들어서 중단했습니다.</translation>
    </message>
    <message>
        <source>The process that renders this model&apos;s chat template didn&apos;t respond.</source>
        <translation>이 모델의 채팅 템플릿을 처리하는 프로세스가 응답하지 않았습니다.</translation>
    </message>
    <message>
        <source>Switch Mode to Raw, use another copy of the model, or open it again to try once more.</source>
        <translation>모드를 Raw로 바꾸거나, 다른 경로에서 받은 모델을 쓰거나, 모델을 다시 열어 한 번 더 시도하세요.</translation>
    </message>
    <message>
        <source>Serves the same model from a terminal</source>
        <translation>터미널에서 같은 모델을 제공합니다</translation>
    </message>
    <message>
        <source>Warning: this starts mlx_lm.server without Sluice&apos;s proxy. Any web page can use it and make it load any folder.</source>
        <translation>경고: Sluice의 프록시 없이 mlx_lm.server를 시작합니다. 어떤 웹 페이지든 이 서버를 쓰고 아무 폴더나 불러오게 할 수 있습니다.</translation>
    </message>
    <message>
        <source>No key: any program on this computer can use the server; web pages can&apos;t</source>
        <translation>키 없음: 이 컴퓨터의 모든 프로그램이 서버를 쓸 수 있고, 웹 페이지는 쓸 수 없습니다</translation>
    </message>
    <message>
        <source>Probabilities</source>
        <translation>확률</translation>
    </message>
    <message>
        <source>This model reads its KV cache directly, and doesn&apos;t support a quantized one.</source>
        <translation>이 모델은 캐시를 직접 들여다보므로 양자화된 캐시로는 동작할 수 없습니다.</translation>
    </message>
    <message>
        <source>This model&apos;s KV cache doesn&apos;t support batches.</source>
        <translation>이 모델은 한 캐시에 든 여러 텍스트를 구별하지 못합니다.</translation>
    </message>
    <message>
        <source>Layers of this model share their KV cache, so draft tokens can&apos;t be verified.</source>
        <translation>이 모델의 층들은 보관한 것을 함께 쓰므로 드래프트 모델의 제안을 확인할 수 없습니다.</translation>
    </message>
    <message>
        <source>Computed in {precision}: probabilities have a relative error of some {percent} %.</source>
        <translation>{precision}(으)로 계산: 확률은 그 값의 약 {percent} %까지만 정확합니다.</translation>
    </message>
    <message>
        <source>Open the demo</source>
        <translation>데모 열기</translation>
    </message>
    <message>
        <source>Predict, run and measure how a model streams its answer; ten minutes, beside the conversation</source>
        <translation>모델이 답변을 스트리밍하는 방법을 예측하고, 실행하고, 측정합니다. 대화 옆에서 10분</translation>
    </message>
    <message>
        <source>Start the first lesson</source>
        <translation>첫 수업 시작</translation>
    </message>
    <message>
        <source>Show all lessons</source>
        <translation>모든 수업 보기</translation>
    </message>
    <message>
        <source>Ask {model} something.</source>
        <translation>{model}에게 물어보세요.</translation>
    </message>
    <message>
        <source>“{model}” no longer exists.</source>
        <translation>“{model}” 모델이 더는 그 자리에 없습니다.</translation>
    </message>
    <message>
        <source>A story</source>
        <translation>이야기</translation>
    </message>
    <message>
        <source>Addition in raw mode</source>
        <translation>Raw 모드의 덧셈</translation>
    </message>
    <message>
        <source>Korean and emoji</source>
        <translation>한국어와 이모지</translation>
    </message>
    <message>
        <source>Long enough to watch the speed. It ends with EOS.</source>
        <translation>속도를 지켜볼 만큼 길고, 스스로 끝납니다.</translation>
    </message>
    <message>
        <source>Without the chat template it doesn&apos;t generate EOS, and runs until max tokens.</source>
        <translation>채팅 템플릿이 없으면 어디서 끝낼지 몰라 한도까지 갑니다.</translation>
    </message>
    <message>
        <source>Characters of several tokens: each appears with its last token.</source>
        <translation>여러 토큰으로 된 글자: 마지막 토큰이 와야 글자가 나타납니다.</translation>
    </message>
    <message>
        <source>max tokens {count}</source>
        <translation>최대 토큰 {count}</translation>
    </message>
    <message>
        <source>This example has set {settings}.</source>
        <translation>이 예시가 설정한 값: {settings}.</translation>
    </message>
    <message>
        <source>Think</source>
        <translation>생각하기</translation>
    </message>
    <message>
        <source>A bat and a ball cost 11 together, and the bat costs 10 more than the ball. What does the ball cost?</source>
        <translation>배트와 공은 합쳐서 11이고, 배트는 공보다 10 더 비쌉니다. 공은 얼마인가요?</translation>
    </message>
    <message>
        <source>Reasoning comes before the answer. Both count as tokens.</source>
        <translation>답하기 전에 생각합니다. 둘 다 토큰으로 셉니다.</translation>
    </message>
    <message>
        <source>Shows the decode speed, and EOS at the end.</source>
        <translation>디코딩 속도와 마지막의 EOS를 보여 줍니다.</translation>
    </message>
    <message>
        <source>Temperature 1: regenerating gives a different answer.</source>
        <translation>온도 1: 다시 물으면 다른 글이 나옵니다.</translation>
    </message>
    <message>
        <source>Temperature 0: regenerating gives the same answer, except for rounding errors.</source>
        <translation>온도 0: 다시 물어도 반올림을 빼면 같은 답이 나옵니다.</translation>
    </message>
    <message>
        <source>Continue a story</source>
        <translation>이야기 이어 가기</translation>
    </message>
    <message>
        <source>Continues this text for up to 120 tokens.</source>
        <translation>이 글에서 120토큰까지 이어 씁니다.</translation>
    </message>
    <message>
        <source>Continue a list</source>
        <translation>목록 이어 가기</translation>
    </message>
    <message>
        <source>Greedy completion: the most probable tokens.</source>
        <translation>탐욕적 완성: 확률이 가장 높은 토큰들입니다.</translation>
    </message>
    <message>
        <source>Continue code</source>
        <translation>코드 이어 가기</translation>
    </message>
    <message>
        <source>A base model completes text. It seldom generates EOS.</source>
        <translation>기반 모델은 글을 이어 씁니다. EOS는 거의 생성하지 않습니다.</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>설명하기</translation>
    </message>
    <message>
        <source>Why is the sky blue? Explain it in three sentences.</source>
        <translation>하늘은 왜 파란가요? 세 문장으로 설명해 주세요.</translation>
    </message>
    <message>
        <source>Invent</source>
        <translation>지어내기</translation>
    </message>
    <message>
        <source>Write four lines about the sea in winter.</source>
        <translation>겨울 바다를 네 줄로 써 주세요.</translation>
    </message>
    <message>
        <source>Write code</source>
        <translation>코드 쓰기</translation>
    </message>
    <message>
        <source>Write a Python function that tells whether a word is a palindrome.</source>
        <translation>어떤 낱말이 회문인지 알려 주는 파이썬 함수를 써 주세요.</translation>
    </message>
    <message>
        <source>Once upon a time, on an island without a harbour,</source>
        <translation>옛날 옛적, 항구가 없는 섬에서,</translation>
    </message>
    <message>
        <source>The planets, from the sun outwards, are Mercury, Venus,</source>
        <translation>태양에서 가까운 행성부터 차례로 수성, 금성,</translation>
    </message>
    <message>
        <source>Choose the columns</source>
        <translation>보일 열 고르기</translation>
    </message>
    <message numerus="yes">
        <source>%n more columns</source>
        <comment>%n more column</comment>
        <translation>
            <numerusform>열 %n개 더</numerusform>
        </translation>
    </message>
    <message>
        <source>{key} is a shortcut of macOS. Use another key.</source>
        <translation>{key}는 macOS가 쓰는 키입니다: 다른 키를 고르세요.</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>창(&amp;W)</translation>
    </message>
    <message>
        <source>Allow Sluice in System Settings → Privacy &amp; Security → Local Network, or check the address.</source>
        <translation>시스템 설정 → 개인정보 보호 및 보안 → 로컬 네트워크에서 Sluice를 허용하거나, 주소를 확인하세요.</translation>
    </message>
    <message>
        <source>{table}: select cells and copy them ({key})</source>
        <translation>{table}: 칸을 선택해 복사하세요({key})</translation>
    </message>
    <message>
        <source>Only runs in which all of these words occur: in the model, the ending, a setting… ({key})</source>
        <translation>이 단어가 모두 들어 있는 실행만: 모델, 종료, 설정 등({key})</translation>
    </message>
    <message>
        <source>Compiling the sampler (included)</source>
        <translation>그중 샘플러 컴파일</translation>
    </message>
    <message>
        <source>Don&apos;t send</source>
        <translation>보내지 않기</translation>
    </message>
    <message>
        <source>It is sent as soon as the model is ready.</source>
        <translation>모델이 준비되는 대로 보냅니다.</translation>
    </message>
    <message>
        <source>Compare texts</source>
        <translation>글 비교</translation>
    </message>
    <message>
        <source>without the cache</source>
        <translation>캐시 없이</translation>
    </message>
    <message>
        <source>LM Studio</source>
        <translation>LM Studio</translation>
    </message>
    <message>
        <source>Ollama</source>
        <translation>Ollama</translation>
    </message>
    <message>
        <source>Your text, the answers and the key go to {name} unencrypted: others can read them. Connect?</source>
        <translation>입력한 글과 답변과 키가 암호화되지 않은 채 {name}(으)로 전송되어 다른 사람이 읽을 수 있습니다. 연결할까요?</translation>
    </message>
    <message>
        <source>A server doesn&apos;t return the logits of its model.</source>
        <translation>서버는 모델의 로짓을 돌려주지 않습니다.</translation>
    </message>
    <message>
        <source>Open a model on this computer.</source>
        <translation>이 컴퓨터의 모델을 여세요.</translation>
    </message>
    <message>
        <source>The cost of a token on a server can&apos;t be measured.</source>
        <translation>토큰 하나에 서버가 얼마나 들이는지는 여기서 잴 수 없습니다.</translation>
    </message>
    <message>
        <source>Sessions are only in memory and will be lost when Sluice quits. To keep them, save them to another folder.</source>
        <translation>세션이 메모리에만 있어 Sluice를 종료하면 사라집니다. 남기려면 다른 폴더에 저장하세요.</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>찾기…</translation>
    </message>
    <message>
        <source>Find Next</source>
        <translation>다음 찾기</translation>
    </message>
    <message>
        <source>Find Previous</source>
        <translation>이전 찾기</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>다시 실행</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>잘라내기</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>붙여넣기</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>모두 선택</translation>
    </message>
    <message>
        <source>Find in the code</source>
        <translation>코드에서 찾기</translation>
    </message>
    <message>
        <source>Find in the exact prompt</source>
        <translation>실제 프롬프트에서 찾기</translation>
    </message>
    <message>
        <source>Find in the conversation</source>
        <translation>대화에서 찾기</translation>
    </message>
    <message>
        <source>Enter: next match. Shift+Enter: previous match. Esc: close and return</source>
        <translation>Enter는 다음으로, Shift+Enter는 앞으로, Esc는 있던 자리로 갑니다</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>찾기</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>앞에서 찾은 것</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>다음에 찾은 것</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>찾기 끝내기</translation>
    </message>
    <message>
        <source>No matches.</source>
        <translation>찾은 것이 없습니다.</translation>
    </message>
    <message>
        <source>Matches: {words}</source>
        <translation>찾은 것: {words}</translation>
    </message>
    <message>
        <source>Open one of the sessions that were changed last.</source>
        <translation>마지막으로 바뀐 세션 가운데 하나를 엽니다.</translation>
    </message>
    <message>
        <source>Open Recent Session</source>
        <translation>최근 세션 열기</translation>
    </message>
    <message>
        <source>Open Recent Model</source>
        <translation>최근 모델 열기</translation>
    </message>
    <message>
        <source>Copy Session as Markdown</source>
        <translation>세션을 Markdown으로 복사</translation>
    </message>
    <message>
        <source>With the System Prompt</source>
        <translation>시스템 프롬프트와 함께</translation>
    </message>
    <message>
        <source>No run generated this turn.</source>
        <translation>실행으로 쓴 글이 아닙니다.</translation>
    </message>
    <message>
        <source>Regenerate the turn to get its code.</source>
        <translation>다시 생성하면 코드가 생깁니다.</translation>
    </message>
    <message>
        <source>Chat template of {model}</source>
        <translation>{model}의 채팅 템플릿</translation>
    </message>
    <message>
        <source>Chat Template…</source>
        <translation>채팅 템플릿…</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>웹 페이지</translation>
    </message>
    <message>
        <source>Import Sessions</source>
        <translation>세션 가져오기</translation>
    </message>
    <message numerus="yes">
        <source>Imported %n sessions.</source>
        <comment>Imported %n session.</comment>
        <translation>
            <numerusform>세션 %n개를 가져왔습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Attached files</source>
        <translation>첨부한 파일</translation>
    </message>
    <message numerus="yes">
        <source>%n characters</source>
        <comment>%n character</comment>
        <translation>
            <numerusform>%n자</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove {name} from the prompt</source>
        <translation>프롬프트에서 {name} 빼기</translation>
    </message>
    <message>
        <source>“{name}” isn&apos;t UTF-8 text.</source>
        <translation>“{name}”은(는) UTF-8 글이 아닙니다.</translation>
    </message>
    <message>
        <source>“{name}” is empty.</source>
        <translation>“{name}”은(는) 비어 있습니다.</translation>
    </message>
    <message>
        <source>“{name}” has no answers.</source>
        <translation>“{name}”에는 답변이 없습니다.</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>아직 없음</translation>
    </message>
    <message>
        <source>Sluice can&apos;t start.</source>
        <translation>Sluice를 시작할 수 없습니다.</translation>
    </message>
    <message>
        <source>Choose a saved system prompt, or save this one under a name</source>
        <translation>저장한 시스템 프롬프트를 고르거나, 이것에 이름을 붙여 저장합니다</translation>
    </message>
    <message>
        <source>Saved system prompts</source>
        <translation>저장한 시스템 프롬프트</translation>
    </message>
    <message>
        <source>Save under a Name…</source>
        <translation>이름 붙여 저장…</translation>
    </message>
    <message>
        <source>Delete This One</source>
        <translation>이것 삭제</translation>
    </message>
    <message>
        <source>Name of this system prompt</source>
        <translation>이 시스템 프롬프트의 이름</translation>
    </message>
    <message>
        <source>“{name}” exists: enter the name again to replace it.</source>
        <translation>“{name}”이(가) 이미 있습니다. 바꾸려면 이름을 한 번 더 입력하세요.</translation>
    </message>
    <message>
        <source>A name has 1 to {most} characters.</source>
        <translation>이름은 1~{most}자입니다.</translation>
    </message>
    <message>
        <source>Move a pinned session</source>
        <translation>고정된 것이면 옮기기</translation>
    </message>
    <message>
        <source>Stop Everything</source>
        <translation>모두 멈추기</translation>
    </message>
    <message>
        <source>Save Selected Rows as CSV…</source>
        <translation>선택한 줄을 CSV로 저장…</translation>
    </message>
    <message>
        <source>Export the Sessions</source>
        <translation>세션 내보내기</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>안 함</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>항상</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>알림</translation>
    </message>
    <message>
        <source>While another program is in front</source>
        <translation>다른 프로그램이 앞에 있을 때</translation>
    </message>
    <message>
        <source>The experiment has ended.</source>
        <translation>실험이 끝났습니다.</translation>
    </message>
    <message>
        <source>The answer is complete.</source>
        <translation>답변이 끝났습니다.</translation>
    </message>
    <message>
        <source>A download is complete.</source>
        <translation>내려받기가 끝났습니다.</translation>
    </message>
    <message>
        <source>The run has failed.</source>
        <translation>실행이 실패했습니다.</translation>
    </message>
    <message>
        <source>{letter}  {name} · mean {speed}</source>
        <translation>{letter}  {name} · 평균 {speed}</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <comment>%n more</comment>
        <translation>
            <numerusform>%n개 더</numerusform>
        </translation>
    </message>
    <message>
        <source>The prompt differs from the cache at token {place}; prefilling the same tokens again took {time}.</source>
        <translation>프롬프트가 토큰 {place}부터 캐시와 다릅니다. 같은 토큰을 다시 프리필하는 데 {time}이(가) 걸렸습니다.</translation>
    </message>
    <message>
        <source>This model&apos;s KV cache can&apos;t be trimmed, so the prompt was prefilled again ({time}).</source>
        <translation>이 모델의 KV 캐시는 잘라 낼 수 없어, 프롬프트를 다시 프리필했습니다({time}).</translation>
    </message>
    <message>
        <source>The KV cache has other settings, so the prompt was prefilled again ({time}).</source>
        <translation>KV 캐시를 만든 설정이 달라, 프롬프트를 다시 프리필했습니다({time}).</translation>
    </message>
    <message>
        <source>The run waited {time} for the engine.</source>
        <translation>엔진을 {time} 기다렸습니다.</translation>
    </message>
    <message>
        <source>Rendering and tokenizing the prompt took {time}.</source>
        <translation>채팅 템플릿과 토큰화에 {time} 걸렸습니다.</translation>
    </message>
    <message>
        <source>Finding or loading the KV cache took {time}.</source>
        <translation>KV 캐시를 찾거나 읽어 오는 데 {time} 걸렸습니다.</translation>
    </message>
    <message>
        <source>Preparing the run, such as its output format, took {time}.</source>
        <translation>출력 형식 등 실행 준비에 {time} 걸렸습니다.</translation>
    </message>
    <message>
        <source>Memory was low: {count} pages were read from the disk.</source>
        <translation>메모리가 모자랐습니다: {count}쪽을 디스크에서 가져와야 했습니다.</translation>
    </message>
    <message>
        <source>Other programs used {share} of the processors.</source>
        <translation>다른 프로그램이 프로세서의 {share}를 썼습니다.</translation>
    </message>
    <message>
        <source>Other programs used {share} of the GPU.</source>
        <translation>다른 프로그램이 GPU의 {share}를 썼습니다.</translation>
    </message>
    <message>
        <source>Temperature or power limited the GPU&apos;s clock to {share} of its maximum.</source>
        <translation>온도나 전력 때문에 GPU 클록이 최대치의 {share}로 제한되었습니다.</translation>
    </message>
    <message>
        <source>Prefill started {time} after Send.</source>
        <translation>보내기에서 프리필까지 {time} 걸렸습니다.</translation>
    </message>
    <message>
        <source>First run with these settings: compiling the sampling code took {time}.</source>
        <translation>이 설정으로는 첫 실행이라 코드를 준비하는 데 {time} 걸렸습니다.</translation>
    </message>
    <message numerus="yes">
        <source>MLX compiled %n GPU kernels, which took about {time}. Later runs reuse them.</source>
        <comment>MLX compiled %n GPU kernel, which took about {time}. Later runs reuse it.</comment>
        <translation>
            <numerusform>MLX가 GPU 커널 %n개를 컴파일하는 데 약 {time} 걸렸습니다. 이후 실행에서는 다시 사용합니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Layers of this model have no kernel for this GPU: the prompt was processed token by token ({time}).</source>
        <translation>이 모델의 일부 레이어에는 이 GPU용 커널이 없어 프롬프트를 토큰 하나씩 처리했습니다({time}).</translation>
    </message>
    <message>
        <source>verifying {count} tokens takes {cost} × the time of one</source>
        <translation>토큰 {count}개를 확인하는 시간은 하나일 때의 {cost}배</translation>
    </message>
    <message>
        <source>proposing {drafts} and verifying {count} tokens takes {cost} × the time of one</source>
        <translation>토큰 {drafts}개를 제안하고 {count}개를 확인하는 시간은 하나일 때의 {cost}배</translation>
    </message>
    <message>
        <source>The KV cache is turned off: the whole text is processed again for each token.</source>
        <translation>KV 캐시가 꺼져 있어 토큰마다 글 전체를 다시 읽습니다.</translation>
    </message>
    <message>
        <source>Recording the alternatives took {time}.</source>
        <translation>후보를 기록하는 데 {time} 걸렸습니다.</translation>
    </message>
    <message>
        <source>Penalties and the output format took {time}.</source>
        <translation>페널티와 출력 형식을 계산하는 데 {time} 걸렸습니다.</translation>
    </message>
    <message>
        <source>The context is long: keys and values are {share} of the bytes read for a token.</source>
        <translation>컨텍스트가 커졌습니다: 토큰 하나가 읽는 것의 {share}가 키와 값입니다.</translation>
    </message>
    <message>
        <source>Draft tokens took more time than they saved: {share} of them were accepted.</source>
        <translation>드래프트 토큰이 절약한 시간보다 더 많은 시간이 걸렸습니다. 제안한 토큰의 {share}가 수락되었습니다.</translation>
    </message>
    <message>
        <source>Remove the selected rows from the table</source>
        <translation>표에서 제거</translation>
    </message>
    <message>
        <source>Restore the removed rows</source>
        <translation>제거한 것을 되돌리기</translation>
    </message>
    <message numerus="yes">
        <source>Removed %n runs; their answers stay.</source>
        <comment>Removed %n run; its answer stays.</comment>
        <translation>
            <numerusform>실행 %n개를 제거했습니다. 답은 그대로 남습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove from the Table</source>
        <translation>표에서 제거</translation>
    </message>
    <message>
        <source>Constrains decoding: only tokens that keep the output valid, and EOS only where it is complete.</source>
        <translation>제약 디코딩: 출력을 유효하게 유지하는 토큰만 뽑히고, EOS는 출력이 완성된 곳에서만 나옵니다.</translation>
    </message>
    <message>
        <source>The model doesn&apos;t see the format: ask for it too. Reasoning and reply prefix aren&apos;t constrained.</source>
        <translation>모델은 형식을 보지 못하므로 프롬프트에서도 부탁하세요. 추론과 답변의 시작은 제약하지 않습니다.</translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation>JSON 스키마</translation>
    </message>
    <message>
        <source>Choices</source>
        <translation>선택지</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>정규식</translation>
    </message>
    <message>
        <source>Lark grammar</source>
        <translation>Lark 문법</translation>
    </message>
    <message>
        <source>Number of a range</source>
        <translation>범위 안의 수</translation>
    </message>
    <message>
        <source>Any text</source>
        <translation>모든 글</translation>
    </message>
    <message>
        <source>Any JSON</source>
        <translation>모든 JSON</translation>
    </message>
    <message>
        <source>yes
no
I don&apos;t know</source>
        <translation>예
아니요
모르겠어요</translation>
    </message>
    <message>
        <source>Insert the example into the field</source>
        <translation>예를 입력란에 넣습니다</translation>
    </message>
    <message>
        <source>Use the example</source>
        <translation>예 넣기</translation>
    </message>
    <message>
        <source>Turn off the output format.</source>
        <translation>출력 형식을 정하지 마세요.</translation>
    </message>
    <message>
        <source>Its tokenizer doesn&apos;t expose the bytes of tokens, or it answers in channels.</source>
        <translation>토크나이저가 토큰이 무엇으로 이루어졌는지 알려 주지 않거나, 모델이 채널로 나누어 답합니다.</translation>
    </message>
    <message>
        <source>output format complete</source>
        <translation>출력 형식 완성</translation>
    </message>
    <message>
        <source>no valid next token</source>
        <translation>맞는 다음 토큰 없음</translation>
    </message>
    <message>
        <source>The command omits the output format.</source>
        <translation>이 명령에는 출력 형식이 빠져 있습니다.</translation>
    </message>
    <message>
        <source>The output format of “{name}” is too long, or isn&apos;t text.</source>
        <translation>“{name}”의 답변 형식이 너무 길거나 글이 아닙니다.</translation>
    </message>
    <message>
        <source>Output format complete</source>
        <translation>출력 형식 완성</translation>
    </message>
    <message>
        <source>No valid next token for the output format</source>
        <translation>출력 형식에 맞는 다음 토큰이 없음</translation>
    </message>
    <message>
        <source>The output format was complete and allows no further token. The model did not generate EOS itself.</source>
        <translation>출력 형식이 완성되어 더 올 수 있는 토큰이 없습니다. 모델이 스스로 EOS를 생성한 것은 아닙니다.</translation>
    </message>
    <message>
        <source>The output format allows no token of this model&apos;s vocabulary here, or was too complex to compute.</source>
        <translation>출력 형식이 이 자리에서 모델 어휘의 어떤 토큰도 허용하지 않거나, 계산하기에 너무 복잡했습니다.</translation>
    </message>
    <message>
        <source>It is too large.</source>
        <translation>너무 큽니다.</translation>
    </message>
    <message>
        <source>No text can match it.</source>
        <translation>요구하는 대로 시작하는 글이 없습니다.</translation>
    </message>
    <message>
        <source>The output format is empty.</source>
        <translation>출력 형식이 비어 있습니다.</translation>
    </message>
    <message>
        <source>The output format is longer than {most} characters.</source>
        <translation>출력 형식이 {most}자보다 깁니다.</translation>
    </message>
    <message>
        <source>This is not a JSON schema: {why}.</source>
        <translation>JSON 스키마가 아닙니다: {why}.</translation>
    </message>
    <message>
        <source>No answer can match this output format: {why}</source>
        <translation>이 형식을 갖출 수 있는 답변이 없습니다: {why}</translation>
    </message>
    <message>
        <source>The process that checks output formats didn&apos;t respond.</source>
        <translation>출력 형식을 검사하는 프로세스가 응답하지 않았습니다.</translation>
    </message>
    <message>
        <source>Compiling it takes too much time or memory.</source>
        <translation>준비하는 데 시간이나 메모리가 너무 많이 듭니다.</translation>
    </message>
    <message>
        <source>A range is two numbers with two dots between them, as in 1..10 or 0.5..2.</source>
        <translation>범위는 1..10이나 0.5..2처럼 두 수 사이에 점 두 개를 찍어 씁니다.</translation>
    </message>
    <message>
        <source>“{keyword}” can&apos;t be enforced.</source>
        <translation>“{keyword}”은(는) 지키게 할 수 없습니다.</translation>
    </message>
    <message>
        <source>Change the output format, or turn it off.</source>
        <translation>출력 형식을 바꾸거나 정하지 마세요.</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>어댑터</translation>
    </message>
    <message>
        <source>Choosing another one, or none, leaves the model in memory.</source>
        <translation>다른 어댑터를 고르거나 빼도 모델은 메모리에 남습니다.</translation>
    </message>
    <message>
        <source>Adapter strength</source>
        <translation>어댑터 세기</translation>
    </message>
    <message>
        <source>Factor on the adapter&apos;s scale: 1 as trained, 0 the base model.</source>
        <translation>어댑터 스케일의 배율입니다. 1은 학습된 그대로, 0은 원래 모델입니다.</translation>
    </message>
    <message>
        <source>Values between show the adapter&apos;s effect. The prompt is prefilled again after a change.</source>
        <translation>그 사이 값으로 어댑터의 효과를 볼 수 있습니다. 바꾸면 프롬프트를 다시 프리필합니다.</translation>
    </message>
    <message>
        <source>Small layers that were trained on top of a model (LoRA or DoRA); the model&apos;s files stay as they are.</source>
        <translation>모델 위에 덧붙여 학습한 작은 레이어(LoRA 또는 DoRA)입니다. 모델의 파일은 그대로입니다.</translation>
    </message>
    <message>
        <source>The folder “{name}” contains an adapter, not a model.</source>
        <translation>폴더 “{name}”에는 모델이 아니라 어댑터가 있습니다.</translation>
    </message>
    <message>
        <source>Open the model that it was trained on, with it.</source>
        <translation>이 어댑터를 학습한 모델과 함께 여세요.</translation>
    </message>
    <message>
        <source>Choose another adapter, or continue without one.</source>
        <translation>다른 어댑터를 고르거나 어댑터 없이 계속하세요.</translation>
    </message>
    <message>
        <source>The adapter is larger than its model.</source>
        <translation>어댑터가 적용할 모델보다 더 큽니다.</translation>
    </message>
    <message>
        <source>{name} is missing from the adapter.</source>
        <translation>어댑터에 {name} 텐서가 없습니다.</translation>
    </message>
    <message>
        <source>The adapter is for another model: it changes {name}, which this one does not have.</source>
        <translation>다른 모델의 어댑터입니다. 이 모델에 없는 {name}을(를) 바꿉니다.</translation>
    </message>
    <message>
        <source>The adapter is in PEFT&apos;s format, which mlx-lm does not read.</source>
        <translation>PEFT 형식의 어댑터이며, mlx-lm은 이 형식을 읽지 않습니다.</translation>
    </message>
    <message>
        <source>Merge it into its model with PEFT (merge_and_unload, save_pretrained), and open the result.</source>
        <translation>PEFT로 모델에 합치고(merge_and_unload, save_pretrained) 저장된 모델을 여세요.</translation>
    </message>
    <message>
        <source>The folder “{name}” is not an adapter: it has no {file}.</source>
        <translation>폴더 “{name}”에 {file} 파일이 없어 어댑터가 아닙니다.</translation>
    </message>
    <message>
        <source>The folder contains complete layers (full fine-tuning), not an adapter.</source>
        <translation>폴더에 어댑터가 아니라 모델의 레이어를 통째로 대신하는 가중치가 있습니다.</translation>
    </message>
    <message>
        <source>Convert it to a model with mlx_lm.fuse, and open that.</source>
        <translation>mlx_lm.fuse로 모델을 만들어 여세요.</translation>
    </message>
    <message>
        <source>{file} has no valid value for {name}.</source>
        <translation>{file}에 쓸 수 있는 {name} 값이 없습니다.</translation>
    </message>
    <message>
        <source>{name} in the adapter has an unsupported type.</source>
        <translation>어댑터의 {name} 텐서는 쓸 수 없는 자료형입니다.</translation>
    </message>
    <message>
        <source>The adapter&apos;s settings have rank {rank}, but its {name} has the shape {shape}.</source>
        <translation>설정에 따르면 어댑터의 랭크는 {rank}인데, {name}의 모양은 {shape}입니다.</translation>
    </message>
    <message>
        <source>The adapter is for another model: its {name} has the shape {own}, but the model&apos;s has {model}.</source>
        <translation>다른 모델의 어댑터입니다. {name}의 모양이 {own}인데, 이 모델에서는 {model}입니다.</translation>
    </message>
    <message>
        <source>Choose an Adapter</source>
        <translation>어댑터 선택</translation>
    </message>
    <message>
        <source>The adapter&apos;s weights could not be read.</source>
        <translation>어댑터의 가중치를 읽지 못했습니다.</translation>
    </message>
    <message>
        <source>The adapter&apos;s weights contain NaN or infinity.</source>
        <translation>어댑터의 가중치에 NaN이나 무한대가 있습니다.</translation>
    </message>
    <message>
        <source>mlx-lm can&apos;t attach this adapter to this model.</source>
        <translation>mlx-lm이 이 모델에 이 어댑터를 적용할 수 없습니다.</translation>
    </message>
    <message>
        <source>Another folder…</source>
        <translation>다른 폴더…</translation>
    </message>
    <message>
        <source>The engine failed at this text.</source>
        <translation>엔진이 이 글에서 실패했습니다.</translation>
    </message>
    <message>
        <source>Try again, or choose another text.</source>
        <translation>다시 해 보거나 다른 글을 고르세요.</translation>
    </message>
    <message>
        <source>The sessions are not saved: the session database is not open.</source>
        <translation>세션이 저장되지 않습니다. 세션 데이터베이스가 열려 있지 않습니다.</translation>
    </message>
    <message>
        <source>Finishing the current rows…</source>
        <translation>지금 행을 마치는 중…</translation>
    </message>
    <message>
        <source>Run every row with every variant</source>
        <translation>모든 행을 모든 갈래로 실행합니다</translation>
    </message>
    <message>
        <source>One row per answer</source>
        <translation>답마다 한 줄</translation>
    </message>
    <message>
        <source>One object per answer</source>
        <translation>답마다 객체 하나</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>읽기용 보고서</translation>
    </message>
    <message>
        <source>All data, which “sluice eval verify” can check</source>
        <translation>모든 데이터, ‘sluice eval verify’로 확인할 수 있음</translation>
    </message>
    <message>
        <source>Stop after the current rows; Start resumes the evaluation, also after a restart</source>
        <translation>지금 행을 마칩니다. 시작하면 프로그램을 다시 연 뒤에도 이어집니다</translation>
    </message>
    <message>
        <source>Open the session that contains the answers to the chosen row</source>
        <translation>고른 행의 답이 담긴 세션을 엽니다</translation>
    </message>
    <message>
        <source>Loaded with the variants of its last evaluation. Start resumes it.</source>
        <translation>지난 평가의 갈래와 함께 불러왔습니다. 시작하면 이어집니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n answers</source>
        <comment>%n answer</comment>
        <translation>
            <numerusform>답 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>{answers} of at most {tokens} tokens each</source>
        <translation>{answers}, 각각 많아야 토큰 {tokens}개</translation>
    </message>
    <message>
        <source>{answers} by log-likelihood; nothing is generated</source>
        <translation>로그 가능도로 {answers}, 생성하지 않음</translation>
    </message>
    <message>
        <source>At most {answers}, each of at most {tokens} tokens; some rows don&apos;t have every wording</source>
        <translation>최대 {answers}, 각각 최대 토큰 {tokens}개: 모든 행에 모든 말투가 있지는 않습니다</translation>
    </message>
    <message>
        <source>This check needs an expected value: name its column on the page “Set”, or choose another check.</source>
        <translation>이 검사에는 기대하는 값이 필요합니다. “세트” 페이지에 그 열을 적거나 다른 검사를 고르세요.</translation>
    </message>
    <message>
        <source>{done} of {total} answers</source>
        <translation>답 {total}개 중 {done}개</translation>
    </message>
    <message>
        <source>{done}, {left} left</source>
        <translation>{done}, {left} 남음</translation>
    </message>
    <message>
        <source>The command needs a file: open the set from its file.</source>
        <translation>명령에는 세트의 파일이 필요합니다. 그 파일을 여세요.</translation>
    </message>
    <message>
        <source>Export the Evaluation</source>
        <translation>평가 내보내기</translation>
    </message>
    <message>
        <source>The model is in use.</source>
        <translation>모델이 사용 중입니다.</translation>
    </message>
    <message>
        <source>Wait until the run has ended, and try again.</source>
        <translation>실행이 끝난 뒤 다시 시도하세요.</translation>
    </message>
    <message>
        <source>The comparison was stopped.</source>
        <translation>비교를 중지했습니다.</translation>
    </message>
    <message>
        <source>Run it again.</source>
        <translation>다시 실행하세요.</translation>
    </message>
    <message>
        <source>Another model was opened during the comparison.</source>
        <translation>비교하는 동안 다른 모델을 열었습니다.</translation>
    </message>
    <message>
        <source>Creating a {bits}-bit copy…</source>
        <translation>{bits}비트 사본을 만드는 중…</translation>
    </message>
    <message>
        <source>{done} of {total} tokens</source>
        <translation>토큰 {total}개 중 {done}개</translation>
    </message>
    <message>
        <source>{done} of {total} tokens, {left} left</source>
        <translation>토큰 {total}개 중 {done}개, {left} 남음</translation>
    </message>
    <message>
        <source>Nats/token</source>
        <translation>교차 엔트로피(내트/토큰)</translation>
    </message>
    <message>
        <source>Cross-entropy: mean of −ln p of the text&apos;s tokens. ±: 95 % CI over blocks of 64 tokens, since adjacent tokens are correlated.</source>
        <translation>글 자체 토큰의 −ln p 평균. ±: 이웃끼리 닮았으므로 토큰 64개 구간으로 구한 95 %.</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>퍼플렉서티</translation>
    </message>
    <message>
        <source>Surprisal of the prompt</source>
        <translation>프롬프트의 놀라움</translation>
    </message>
    <message>
        <source>The model, a draft (accepted), or you (a fork).</source>
        <translation>모델, 수락된 드래프트 토큰, 또는 다른 길로 이어 간 사용자입니다.</translation>
    </message>
    <message>
        <source>Bits/byte</source>
        <translation>바이트당 비트</translation>
    </message>
    <message>
        <source>Σ −log₂ p ÷ UTF-8 bytes. Comparable between models with different vocabularies.</source>
        <translation>Σ −log₂ p ÷ UTF-8 바이트: 어휘가 다른 모델을 견줄 수 있는 유일한 숫자.</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 발산</translation>
    </message>
    <message>
        <source>Σ p ln(p ÷ q) in nats, p of the first model, q of the second.</source>
        <translation>Σ p ln(p ÷ q), 단위는 내트. p는 첫 번째 모델, q는 두 번째 모델.</translation>
    </message>
    <message>
        <source>Reverse KL divergence</source>
        <translation>반대 방향 KL</translation>
    </message>
    <message>
        <source>KL divergence with the models swapped.</source>
        <translation>두 모델을 서로 바꾼 같은 값.</translation>
    </message>
    <message>
        <source>Jensen–Shannon</source>
        <translation>옌센–섀넌</translation>
    </message>
    <message>
        <source>Mean of the KL divergences of both models from the average of their distributions.</source>
        <translation>두 모델의 분포가 두 분포의 평균과 이루는 KL 발산의 평균.</translation>
    </message>
    <message>
        <source>Top-1 agreement</source>
        <translation>상위 1개 일치율</translation>
    </message>
    <message>
        <source>Share of positions where both models have the same most likely token.</source>
        <translation>두 모델에서 확률이 가장 높은 토큰이 같은 자리의 비율입니다.</translation>
    </message>
    <message>
        <source>Top-10 overlap</source>
        <translation>상위 10개 겹침</translation>
    </message>
    <message>
        <source>Share of the first model&apos;s top 10 tokens that are in the second&apos;s top 10.</source>
        <translation>첫 번째 모델의 상위 10개 토큰 가운데 두 번째 모델의 상위 10개에도 있는 비율입니다.</translation>
    </message>
    <message>
        <source>Cross-entropy of the second model minus that of the first, in nats per token.</source>
        <translation>두 번째 모델에게 글 자체가 토큰당 몇 내트 덜 그럴듯한지.</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>곡선</translation>
    </message>
    <message>
        <source>“{text}” (“{first}” → “{second}”)</source>
        <translation>“{text}” (“{first}” → “{second}”)</translation>
    </message>
    <message>
        <source>Tokens of the text</source>
        <translation>글의 토큰</translation>
    </message>
    <message>
        <source>Bits per weight, scales included</source>
        <translation>가중치당 비트, 스케일 포함</translation>
    </message>
    <message>
        <source>Mean KL divergence per token</source>
        <translation>토큰당 평균 KL 발산</translation>
    </message>
    <message>
        <source>Same most likely token</source>
        <translation>가장 그럴듯한 토큰이 같음</translation>
    </message>
    <message>
        <source>KL divergence in the most changed tenth</source>
        <translation>가장 많이 바뀐 10 %의 KL 발산</translation>
    </message>
    <message>
        <source>Mean KL divergence where the original is certain</source>
        <translation>원본이 확실한 곳의 평균 KL 발산</translation>
    </message>
    <message>
        <source>Mean KL divergence elsewhere</source>
        <translation>다른 곳의 평균 KL 발산</translation>
    </message>
    <message>
        <source>Most changed tokens</source>
        <translation>가장 많이 바뀐 토큰</translation>
    </message>
    <message>
        <source>Size of the weights</source>
        <translation>가중치의 크기</translation>
    </message>
    <message>
        <source>Bits per byte</source>
        <translation>바이트당 비트</translation>
    </message>
    <message>
        <source>All comparisons</source>
        <translation>모든 비교</translation>
    </message>
    <message>
        <source>The comparison that is shown</source>
        <translation>표시되는 비교</translation>
    </message>
    <message>
        <source>Figures and curves</source>
        <translation>숫자와 곡선</translation>
    </message>
    <message>
        <source>Earlier result: {sentence}</source>
        <translation>이전 결과: {sentence}</translation>
    </message>
    <message>
        <source>≥ {nats} nats</source>
        <translation>≥ {nats}내트</translation>
    </message>
    <message>
        <source>KL {kl} nats; {first}: {one}; {second}: {other}</source>
        <translation>KL {kl}내트; {first}: {one}; {second}: {other}</translation>
    </message>
    <message>
        <source>Through the chat template, as if the model had written it</source>
        <translation>채팅 템플릿을 거쳐, 모델이 쓴 것처럼</translation>
    </message>
    <message>
        <source>Paste a text, or drop a file.</source>
        <translation>글을 붙여 넣거나 파일을 끌어다 놓으세요.</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>파일…</translation>
    </message>
    <message>
        <source>This Session</source>
        <translation>이 세션</translation>
    </message>
    <message>
        <source>Raw text</source>
        <translation>원문 그대로</translation>
    </message>
    <message>
        <source>Chat answer</source>
        <translation>답변으로</translation>
    </message>
    <message>
        <source>Measures the perplexity of a text, token by token. With a second model, it also measures the KL divergence and shows where the two models differ.</source>
        <translation>글의 퍼플렉서티를 토큰마다 측정합니다. 두 번째 모델이 있으면 KL 발산도 측정하고 두 모델이 어디에서 다른지 보여 줍니다.</translation>
    </message>
    <message>
        <source>The text is empty. Paste a text or choose a file.</source>
        <translation>글이 비어 있습니다. 붙여 넣거나 파일을 고르세요.</translation>
    </message>
    <message>
        <source>KV caches to compare with the full one: bits:group@start or window:size:kept. Quantization begins after “start” tokens. A window keeps its first tokens.</source>
        <translation>전체 캐시와 비교할 KV 캐시입니다: bits:group@start 또는 window:size:kept. 양자화는 토큰 “start”개 뒤에 시작합니다. 윈도는 처음 토큰을 남깁니다.</translation>
    </message>
    <message>
        <source>Plant a fact at 10, 50 and 90 % of the text and ask for it at the end. The result lists which cache loses it.</source>
        <translation>글의 10, 50, 90 % 지점에 사실을 심고 끝에서 묻습니다. 결과는 어느 캐시가 그 사실을 잃는지 보여 줍니다.</translation>
    </message>
    <message>
        <source>A second model, or other KV caches of the model, that are compared with the first on the same text</source>
        <translation>같은 글로 첫 모델과 비교할 둘째 모델, 또는 그 모델의 다른 KV 캐시</translation>
    </message>
    <message>
        <source>Plant facts</source>
        <translation>사실 심기</translation>
    </message>
    <message>
        <source>Measure a short bundled text</source>
        <translation>함께 제공되는 짧은 텍스트를 측정합니다</translation>
    </message>
    <message>
        <source>Measured in place of the text above: {name}</source>
        <translation>위의 글 대신 측정: {name}</translation>
    </message>
    <message>
        <source>KV caches of this model</source>
        <translation>이 모델의 KV 캐시</translation>
    </message>
    <message>
        <source>This example measures the demo model: open it first.</source>
        <translation>이 예는 demo 모델을 측정합니다. 먼저 그 모델을 여세요.</translation>
    </message>
    <message>
        <source>Creating a 4-bit copy of demo…</source>
        <translation>demo를 4비트로 복사하는 중…</translation>
    </message>
    <message>
        <source>Measure the text</source>
        <translation>글을 측정합니다</translation>
    </message>
    <message>
        <source>The text to measure</source>
        <translation>측정할 글</translation>
    </message>
    <message>
        <source>Open a text file or a session file</source>
        <translation>텍스트 파일이나 세션 파일을 엽니다</translation>
    </message>
    <message>
        <source>Take the answers of the open session</source>
        <translation>열린 세션의 답변을 씁니다</translation>
    </message>
    <message>
        <source>How the model gets the text</source>
        <translation>모델이 읽는 방법</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>견줄 모델</translation>
    </message>
    <message>
        <source>No other model</source>
        <translation>다른 모델 없음</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>모든 파일 (*)</translation>
    </message>
    <message>
        <source>Open a Text</source>
        <translation>글 열기</translation>
    </message>
    <message>
        <source>This session was deleted.</source>
        <translation>이 세션은 삭제되었습니다.</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>낱말</translation>
    </message>
    <message>
        <source>Digits</source>
        <translation>숫자</translation>
    </message>
    <message>
        <source>tokens of the text</source>
        <translation>글의 토큰</translation>
    </message>
    <message>
        <source>Worst passages</source>
        <translation>가장 나쁜 대목</translation>
    </message>
    <message>
        <source>By context</source>
        <translation>문맥 길이별</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>값</translation>
    </message>
    <message>
        <source>Surprisal of each token under the first model</source>
        <translation>첫 번째 모델에서 각 토큰의 놀라움(surprisal)</translation>
    </message>
    <message>
        <source>KL divergence between the models at each token</source>
        <translation>각 토큰에서 두 모델 사이의 KL 발산</translation>
    </message>
    <message>
        <source>Log-probability of each token: first model minus second. The other color: negative</source>
        <translation>각 토큰의 로그 확률: 첫 번째 모델 빼기 두 번째. 다른 색은 음수</translation>
    </message>
    <message>
        <source>Coloring</source>
        <translation>색칠 기준</translation>
    </message>
    <message>
        <source>0 nats</source>
        <translation>0내트</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>측정하지 않음</translation>
    </message>
    <message>
        <source>{what}: first {first}, last {last}, maximum {most}</source>
        <translation>{what}: 처음 {first}, 끝 {last}, 최대 {most}</translation>
    </message>
    <message>
        <source>Punctuation and symbols</source>
        <translation>문장 부호와 기호</translation>
    </message>
    <message>
        <source>Whitespace</source>
        <translation>공백</translation>
    </message>
    <message>
        <source>minimum number of tokens before the scored token</source>
        <translation>채점한 토큰 앞의 토큰, 적어도</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>비교</translation>
    </message>
    <message>
        <source>Largest differences</source>
        <translation>가장 달라진 곳</translation>
    </message>
    <message>
        <source>By token type</source>
        <translation>종류</translation>
    </message>
    <message>
        <source>Over the text</source>
        <translation>글을 따라</translation>
    </message>
    <message>
        <source>Cumulative KL</source>
        <translation>누적 KL</translation>
    </message>
    <message>
        <source>cumulative KL in nats</source>
        <translation>누적 KL(내트)</translation>
    </message>
    <message>
        <source>From token</source>
        <translation>시작 토큰</translation>
    </message>
    <message>
        <source>Top token of {model}</source>
        <translation>{model}의 첫 선택</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>종류</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>다른 것을 고르세요.</translation>
    </message>
    <message>
        <source>The text has fewer than two tokens.</source>
        <translation>글이 너무 짧습니다.</translation>
    </message>
    <message>
        <source>Use a longer text: each token is scored with the tokens before it.</source>
        <translation>토큰은 그 앞에 있는 것으로 잽니다.</translation>
    </message>
    <message>
        <source>Choose a text, or another model.</source>
        <translation>글을 재거나 다른 모델을 고르세요.</translation>
    </message>
    <message>
        <source>{model} has no chat template, which a session needs.</source>
        <translation>{model}에는 세션에 필요한 채팅 템플릿이 없습니다.</translation>
    </message>
    <message>
        <source>Quantize…</source>
        <translation>양자화…</translation>
    </message>
    <message>
        <source>quantizing</source>
        <translation>양자화하는 중</translation>
    </message>
    <message>
        <source>comparing with the original</source>
        <translation>원본과 비교하는 중</translation>
    </message>
    <message>
        <source>The recipe {name} doesn&apos;t support the layers of this model.</source>
        <translation>레시피 {name}은(는) 이 모델의 층을 지원하지 않습니다.</translation>
    </message>
    <message>
        <source>Choose the same bits for all layers.</source>
        <translation>모든 층에 같은 비트를 고르세요.</translation>
    </message>
    <message>
        <source>This model could not be quantized.</source>
        <translation>이 모델을 양자화하지 못했습니다.</translation>
    </message>
    <message>
        <source>The quantization process ended without an error message.</source>
        <translation>양자화하는 프로세스가 아무 말 없이 끝났습니다.</translation>
    </message>
    <message>
        <source>Close other programs, and try again.</source>
        <translation>다른 프로그램을 닫고 다시 시도하세요.</translation>
    </message>
    <message>
        <source>“{name}” is an adapter, which has no weights of its own to quantize.</source>
        <translation>“{name}”은(는) 어댑터라서 양자화할 자체 가중치가 없습니다.</translation>
    </message>
    <message>
        <source>Choose the base model of this adapter.</source>
        <translation>어댑터가 속한 모델을 고르세요.</translation>
    </message>
    <message>
        <source>“{name}” is quantized already: quantizing it again would only add errors.</source>
        <translation>“{name}”은(는) 이미 양자화되어 있습니다. 한 번 더 하면 오차만 늘어납니다.</translation>
    </message>
    <message>
        <source>{place} already exists.</source>
        <translation>{place}에 이미 무언가가 있습니다.</translation>
    </message>
    <message>
        <source>The model needs {size}, and the disk has {free} free.</source>
        <translation>모델은 {size}가 필요한데 디스크에는 {free}가 비어 있습니다.</translation>
    </message>
    <message>
        <source>No files remain.</source>
        <translation>남은 것은 없습니다.</translation>
    </message>
    <message>
        <source>Choose the model it was quantized from.</source>
        <translation>그 모델의 원본 모델을 고르세요.</translation>
    </message>
    <message>
        <source>Free disk space, or choose another folder.</source>
        <translation>공간을 만들거나 다른 위치를 고르세요.</translation>
    </message>
    <message>
        <source>The conversion was cancelled.</source>
        <translation>변환이 취소되었습니다.</translation>
    </message>
    <message>
        <source>The model could not be written or read ({reason}).</source>
        <translation>모델을 쓰거나 읽지 못했습니다({reason}).</translation>
    </message>
    <message>
        <source>{nats} nats per token worse</source>
        <translation>토큰당 {nats}내트 나쁨</translation>
    </message>
    <message>
        <source>{nats} nats per token better</source>
        <translation>토큰당 {nats}내트 좋음</translation>
    </message>
    <message>
        <source>{times} times smaller on disk. On a sample text: perplexity × {ratio} ({worse}), same top-1 token {same}.</source>
        <translation>디스크에서 {times}배 작음. 예시 글에서 퍼플렉시티 × {ratio}({worse}), 1순위 토큰이 같은 비율 {same}.</translation>
    </message>
    <message>
        <source>Here, both are computed in float32: memory and speed are the same.</source>
        <translation>여기서는 둘 다 float32로 계산하므로 메모리와 속도가 같습니다.</translation>
    </message>
    <message>
        <source>On this machine it is as fast: {now} tok/s instead of {before}.</source>
        <translation>이 컴퓨터에서는 속도가 같습니다: {before} 대신 {now} tok/s.</translation>
    </message>
    <message>
        <source>On this machine it is faster: {now} tok/s instead of {before}.</source>
        <translation>이 컴퓨터에서는 더 빠릅니다: {before} 대신 {now} tok/s.</translation>
    </message>
    <message>
        <source>On this machine it is slower: {now} tok/s instead of {before}.</source>
        <translation>이 컴퓨터에서는 더 느립니다: {before} 대신 {now} tok/s.</translation>
    </message>
    <message>
        <source>“{name}” is already being created.</source>
        <translation>“{name}” 모델을 이미 만들고 있습니다.</translation>
    </message>
    <message>
        <source>Wait until it ends, or cancel it.</source>
        <translation>끝날 때까지 기다리거나 취소하세요.</translation>
    </message>
    <message>
        <source>It could not be compared with the original: {what}</source>
        <translation>원본과 비교하지 못했습니다: {what}</translation>
    </message>
    <message>
        <source>{name}: {bits} bits per weight, KL {kl}</source>
        <translation>{name}: 가중치당 {bits}비트, KL {kl}</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>가중치당 비트</translation>
    </message>
    <message>
        <source>Compare 8 and 4 bits</source>
        <translation>8비트와 4비트 비교</translation>
    </message>
    <message>
        <source>Compare 6, 5, 3 and 2 bits</source>
        <translation>6, 5, 3, 2비트 비교</translation>
    </message>
    <message>
        <source>Per weight</source>
        <translation>가중치당</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>Same top token</source>
        <translation>최상위 토큰 일치</translation>
    </message>
    <message>
        <source>Quantize {model}</source>
        <translation>{model} 양자화</translation>
    </message>
    <message>
        <source>Bits per weight, and their format</source>
        <translation>가중치당 비트 수와 형식</translation>
    </message>
    <message>
        <source>Number of weights that share a scale; a smaller group is more accurate</source>
        <translation>스케일을 함께 쓰는 가중치 수. 그룹이 작을수록 정확합니다</translation>
    </message>
    <message>
        <source>largest that divides all layer widths</source>
        <translation>모든 층의 너비를 나누는 가장 큰 값</translation>
    </message>
    <message>
        <source>Choose the folder of the new model</source>
        <translation>새 모델의 폴더를 고릅니다</translation>
    </message>
    <message>
        <source>Other folder…</source>
        <translation>다른 폴더…</translation>
    </message>
    <message>
        <source>Create the model, and compare it with the original</source>
        <translation>모델을 만들고 원본과 비교합니다</translation>
    </message>
    <message>
        <source>Reading the layers …</source>
        <translation>층을 살펴보는 중…</translation>
    </message>
    <message>
        <source>{size} instead of {before}; free disk space: {free}</source>
        <translation>{before} 대신 {size}, 디스크 여유 공간: {free}</translation>
    </message>
    <message>
        <source>Not quantized</source>
        <translation>양자화하지 않는 층</translation>
    </message>
    <message>
        <source>No layer&apos;s width is a multiple of this group size, so nothing would be quantized.</source>
        <translation>너비가 이 그룹 크기의 배수인 층이 없어 아무것도 양자화되지 않습니다.</translation>
    </message>
    <message>
        <source>Comparison of bit widths</source>
        <translation>비트 수 비교</translation>
    </message>
    <message>
        <source>{number} of {count} bit widths compared</source>
        <translation>비트 폭 {count}개 중 {number}개 비교함</translation>
    </message>
    <message>
        <source>In memory</source>
        <translation>메모리에서</translation>
    </message>
    <message>
        <source>{few} bits, {many} in sensitive layers</source>
        <translation>{few}비트, 민감한 층은 {many}비트</translation>
    </message>
    <message>
        <source>{bits} bits</source>
        <translation>{bits}비트</translation>
    </message>
    <message>
        <source>original</source>
        <translation>원본</translation>
    </message>
    <message>
        <source>{bits} bits keep the top token at {same} of the positions, and are {times} times smaller on disk.</source>
        <translation>{bits}비트는 위치의 {same}에서 최상위 토큰을 유지하고, 디스크에서 {times}배 작습니다.</translation>
    </message>
    <message>
        <source>No quantization keeps the top token at {least} of the positions. {bits} bits keep it at {same}.</source>
        <translation>위치의 {least} 이상에서 최상위 토큰을 유지하는 양자화가 없습니다. {bits}비트는 {same}에서 유지합니다.</translation>
    </message>
    <message>
        <source>{bits} bits keep it at {same}.</source>
        <translation>{bits}비트는 {same}에서 유지합니다.</translation>
    </message>
    <message>
        <source>Here, all are computed in float32: memory and speed are those of the original.</source>
        <translation>여기서는 모두 float32로 계산하므로 메모리와 속도는 원본과 같습니다.</translation>
    </message>
    <message>
        <source>KL divergence from the original by bits per weight</source>
        <translation>가중치당 비트 수에 따른 원본과의 KL 발산</translation>
    </message>
    <message>
        <source>KL divergence, nats per token</source>
        <translation>KL 발산, 토큰당 내트</translation>
    </message>
    <message>
        <source>{bits} bits, {mode}</source>
        <translation>{bits}비트, {mode}</translation>
    </message>
    <message>
        <source>Compare the other widths</source>
        <translation>나머지 비트 폭 비교</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>그룹</translation>
    </message>
    <message>
        <source>Quantize to each width, and compare it with the original; no model is saved</source>
        <translation>각 비트 폭으로 양자화해 원본과 비교합니다. 모델은 저장하지 않습니다</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>양자화</translation>
    </message>
    <message>
        <source>no layer</source>
        <translation>없음</translation>
    </message>
    <message numerus="yes">
        <source>{layers} and %n more</source>
        <translation>
            <numerusform>{layers} 외 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>{bits}, scales included</source>
        <translation>{bits}, 스케일 포함</translation>
    </message>
    <message>
        <source>Folder of the New Model</source>
        <translation>새 모델의 폴더</translation>
    </message>
    <message>
        <source>After penalties and bias, before the output format, which ruled out {share} (struck through).</source>
        <translation>페널티와 바이어스 뒤, 출력 형식 앞입니다. 출력 형식이 {share}를 배제했습니다(취소선).</translation>
    </message>
    <message>
        <source>Output format</source>
        <translation>출력 형식</translation>
    </message>
    <message>
        <source>At {count} of {all} tokens the model&apos;s top choice was invalid; most clearly at token {place}: “{token}”.</source>
        <translation>토큰 {all}개 중 {count}개에서 모델의 첫 선택이 형식에 맞지 않았습니다. 가장 뚜렷한 곳은 토큰 {place}: “{token}”.</translation>
    </message>
    <message>
        <source>A run with draft tokens has no bandwidth limit: one pass can give several tokens.</source>
        <translation>드래프트 토큰을 쓴 실행에는 상한을 나타내지 않습니다. 한 번 계산할 때 받아들여진 만큼의 토큰을 쓰기 때문입니다.</translation>
    </message>
    <message>
        <source>The run was faster than the measured bandwidth limit of {speed} tok/s: that measurement was disturbed. Measure it again with “Speed Limits” while other programs are idle.</source>
        <translation>실행이 측정된 상한인 {speed} 토큰/초보다 빨랐으므로 그 측정은 방해를 받은 것입니다. 다른 프로그램이 쉬고 있을 때 “속도 한계”에서 다시 측정하세요.</translation>
    </message>
    <message>
        <source>memory bandwidth is most of a token&apos;s time</source>
        <translation>토큰에 필요한 것을 읽는 데 시간의 대부분이 듭니다</translation>
    </message>
    <message>
        <source>compute is most of a token&apos;s time</source>
        <translation>연산에 토큰 시간의 대부분이 듭니다</translation>
    </message>
    <message>
        <source>overhead (small operations, Python) is most of a token&apos;s time</source>
        <translation>읽는 양이 아니라 작은 연산과 Python에 토큰 시간의 대부분이 듭니다</translation>
    </message>
    <message>
        <source>The run reached {share} of the memory-bandwidth limit of {speed} tok/s: {meaning}.</source>
        <translation>이 기기의 상한인 {speed} 토큰/초의 {share}로 썼습니다: {meaning}.</translation>
    </message>
    <message>
        <source>The model is small for this GPU: launching kernels and Python take {share} of a token&apos;s time.</source>
        <translation>이 GPU에 비해 모델이 작습니다. 커널 실행과 Python이 토큰 시간의 {share}를 차지합니다.</translation>
    </message>
    <message>
        <source>{share} of the bytes read per token are the keys and values of {count} tokens.</source>
        <translation>토큰마다 읽는 바이트의 {share}는 토큰 {count}개의 키와 값입니다.</translation>
    </message>
    <message>
        <source>{share} of the bytes read per token belong to the output layer (LM head).</source>
        <translation>토큰마다 읽는 바이트의 {share}는 출력층(LM 헤드)의 것입니다.</translation>
    </message>
    <message>
        <source>Other programs used {share} of the processors during the measurement, so the bandwidth limit may be too low. Measure it again while they are idle.</source>
        <translation>측정하는 동안 다른 프로그램이 프로세서의 {share}를 써서 상한이 너무 낮게 나왔을 수 있습니다. 다른 프로그램이 쉬고 있을 때 다시 측정하세요.</translation>
    </message>
    <message>
        <source>Other programs used {share} of the GPU during the measurement, so the bandwidth limit may be too low. Measure it again while they are idle.</source>
        <translation>측정하는 동안 다른 프로그램이 GPU의 {share}를 써서 상한이 너무 낮게 나왔을 수 있습니다. 다른 프로그램이 쉬고 있을 때 다시 측정하세요.</translation>
    </message>
    <message>
        <source>The model&apos;s context holds {context} tokens.</source>
        <translation>모델의 컨텍스트는 토큰 {context}개를 담습니다.</translation>
    </message>
    <message>
        <source>The answer is too short for a profile.</source>
        <translation>그러기에는 답변이 너무 짧습니다.</translation>
    </message>
    <message>
        <source>Generate a longer answer.</source>
        <translation>토큰을 더 요청하세요.</translation>
    </message>
    <message>
        <source>Why This Fast?</source>
        <translation>왜 이 속도인가?</translation>
    </message>
    <message>
        <source>Profile &amp;Last Run</source>
        <translation>마지막 실행 분석(&amp;L)</translation>
    </message>
    <message>
        <source>Repeats the last request and measures each part and each layer.</source>
        <translation>마지막 요청을 반복하고 부분과 레이어마다 측정합니다.</translation>
    </message>
    <message>
        <source>Measure This &amp;Computer</source>
        <translation>이 컴퓨터 측정(&amp;C)</translation>
    </message>
    <message>
        <source>Measures the memory-bandwidth limit of this computer for the model.</source>
        <translation>이 모델에 대한 이 컴퓨터의 메모리 대역폭 한계를 측정합니다.</translation>
    </message>
    <message>
        <source>Copy as a Markdown table</source>
        <translation>Markdown 표로 복사</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>부분</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>중지(&amp;S)</translation>
    </message>
    <message>
        <source>Measures the time of each part of a token, and the memory-bandwidth limit of this computer.</source>
        <translation>토큰 하나의 부분마다 얼마나 걸리고, 이 컴퓨터의 한계는 얼마일까요?</translation>
    </message>
    <message>
        <source>The last request runs six times: twice unchanged, twice timed by part, twice timed by layer…</source>
        <translation>마지막 요청을 여섯 번 실행합니다: 그대로 두 번, 부분별 측정으로 두 번, 레이어별 측정으로 두 번…</translation>
    </message>
    <message>
        <source>The model generates some tokens. Then the memory bandwidth is measured with matrices of its shapes…</source>
        <translation>모델이 토큰을 몇 개 씁니다. 이어서 같은 모양의 행렬로 메모리 대역폭을 측정합니다…</translation>
    </message>
    <message>
        <source>This limit was measured earlier, with this model on this computer.</source>
        <translation>이 한계는 이전에 이 컴퓨터에서 이 모델로 측정한 값입니다.</translation>
    </message>
    <message>
        <source>Stop, and discard the measurement</source>
        <translation>정지. 지금까지 측정한 것은 남지 않습니다</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>복사(&amp;C)</translation>
    </message>
    <message>
        <source>Reuses the cached keys and values of a prompt&apos;s beginning. Only the tokens after it are prefilled.</source>
        <translation>프롬프트 앞부분의 키와 값을 캐시에서 다시 씁니다. 그 뒤의 토큰만 프리필합니다.</translation>
    </message>
    <message>
        <source>Prompt tokens that were already in the KV cache (cache hits). They need no prefill.</source>
        <translation>KV 캐시에 앞선 실행에서 남아 있어 다시 읽지 않아도 된 프롬프트 토큰입니다. 이 대화의 것이거나 떠나온 다른 대화의 것입니다.</translation>
    </message>
    <message>
        <source>KV caches of other conversations and branches. Returning to one needs no prefill. Part of active memory.</source>
        <translation>떠나온 대화와 가지의 KV 캐시로, 다시 읽지 않도록 보관합니다. 사용 중인 메모리의 일부입니다.</translation>
    </message>
    <message>
        <source>Maximum reasoning tokens. Then the model&apos;s end-of-reasoning tag is inserted.</source>
        <translation>최대 추론 토큰 수입니다. 닿으면 모델의 추론 끝 태그를 넣습니다.</translation>
    </message>
    <message>
        <source>Answers come sooner, but may be worse. If reasoning starts again, it is ended again.</source>
        <translation>답이 빨리 나오지만 추론이 문장 중간에 끝나 답이 나빠질 수 있습니다. 추론이 다시 시작되면 다시 끝냅니다.</translation>
    </message>
    <message>
        <source>reasoning budget</source>
        <translation>추론 예산</translation>
    </message>
    <message>
        <source>This model has no reasoning tags, so its reasoning can&apos;t be ended.</source>
        <translation>이 모델에는 끝낼 수 있는 생각의 표시가 없습니다.</translation>
    </message>
    <message>
        <source>Reasoning budget</source>
        <translation>추론 예산</translation>
    </message>
    <message numerus="yes">
        <source>reasoning ended after %n tokens</source>
        <comment>reasoning ended after %n token</comment>
        <translation>
            <numerusform>토큰 %n개 뒤에 추론을 끝냄</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The budget ended the reasoning after %n tokens</source>
        <comment>The budget ended the reasoning after %n token</comment>
        <translation>
            <numerusform>예산에 따라 토큰 %n개 뒤에 추론을 끝냈습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>{ended}; the end-of-reasoning tag was inserted.</source>
        <translation>{ended}. 추론 끝 태그를 넣었습니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n times</source>
        <comment>once</comment>
        <translation>
            <numerusform>%n번</numerusform>
        </translation>
    </message>
    <message>
        <source>{ended}. The model started to reason again {times}; the tag was inserted at once.</source>
        <translation>{ended}. 모델이 {times} 다시 추론을 시작했고, 곧바로 태그를 넣었습니다.</translation>
    </message>
    <message>
        <source>This model has no constrained decoding.</source>
        <translation>이 모델의 답은 형식을 지키게 할 수 없습니다.</translation>
    </message>
    <message>
        <source>free</source>
        <translation>자유</translation>
    </message>
    <message>
        <source>constrained</source>
        <translation>형식을 지킴</translation>
    </message>
    <message>
        <source>{right} of {all} free answers were valid, and {held} of {held_all} constrained ones</source>
        <translation>자유로운 답 {all}개 중 {right}개, 형식을 지키게 한 답 {held_all}개 중 {held}개가 형식에 맞음</translation>
    </message>
    <message>
        <source>Valid</source>
        <translation>형식에 맞음</translation>
    </message>
    <message>
        <source>Valid answers</source>
        <translation>형식에 맞는 답</translation>
    </message>
    <message>
        <source>no significant difference in log-probability</source>
        <translation>가능도에 유의한 차이 없음</translation>
    </message>
    <message>
        <source>its answers are {nats} nats per token less probable</source>
        <translation>그 답은 모델에게 토큰당 {nats}내트 덜 그럴듯함</translation>
    </message>
    <message>
        <source>its answers are {nats} nats per token more probable</source>
        <translation>그 답은 모델에게 토큰당 {nats}내트 더 그럴듯함</translation>
    </message>
    <message>
        <source>What does constrained decoding cost?</source>
        <translation>형식의 비용은?</translation>
    </message>
    <message>
        <source>Is constrained decoding slower, and how improbable is its answer for the model?</source>
        <translation>형식을 지키게 한 답은 더 느리게 나올까요? 그리고 모델이 거의 내놓지 않았을 답일까요?</translation>
    </message>
    <message>
        <source>{number} nats</source>
        <translation>{number} 내트</translation>
    </message>
    <message>
        <source>constrained decoding is {speed}</source>
        <translation>형식을 지키게 하면 {speed}입니다</translation>
    </message>
    <message>
        <source>log-probability</source>
        <translation>로그 확률</translation>
    </message>
    <message>
        <source>Mass removed</source>
        <translation>제거된 확률</translation>
    </message>
    <message>
        <source>Log-probability per token</source>
        <translation>토큰당 로그 확률</translation>
    </message>
    <message>
        <source>Mean of ln p of the answer&apos;s tokens, before constrained decoding.</source>
        <translation>답의 형식이 작용하기 전에 모델이 매긴, 답의 토큰들의 ln p 평균입니다.</translation>
    </message>
    <message>
        <source>Probability ruled out</source>
        <translation>배제된 확률</translation>
    </message>
    <message>
        <source>1 − the sum of the probabilities of all tokens that the output format allows, after penalties and bias, before temperature.</source>
        <translation>1 − 출력 형식이 허용하는 모든 토큰의 확률의 합. 페널티와 바이어스 뒤, 온도 앞의 값입니다.</translation>
    </message>
    <message>
        <source>Forced token</source>
        <translation>강제된 토큰</translation>
    </message>
    <message>
        <source>The only token that the output format allowed. It isn&apos;t sampled.</source>
        <translation>형식이 허용한 유일한 토큰으로, 뽑힌 것이 아닙니다.</translation>
    </message>
    <message>
        <source>Top choice invalid</source>
        <translation>첫 선택이 형식에 맞지 않음</translation>
    </message>
    <message>
        <source>Constrained tokens at which the output format ruled out the model&apos;s most likely token.</source>
        <translation>출력 형식이 모델의 가장 확률 높은 토큰을 배제한, 제약된 토큰의 수입니다.</translation>
    </message>
    <message>
        <source>The server&apos;s answer doesn&apos;t match the output format.</source>
        <translation>서버의 답이 출력 형식에 맞지 않습니다.</translation>
    </message>
    <message>
        <source>text</source>
        <translation>텍스트</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>수</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>정수</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 또는 false</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>목록</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>객체</translation>
    </message>
    <message>
        <source>at least {limit}</source>
        <translation>{limit} 이상</translation>
    </message>
    <message>
        <source>at most {limit}</source>
        <translation>{limit} 이하</translation>
    </message>
    <message>
        <source>above {limit}</source>
        <translation>{limit} 초과</translation>
    </message>
    <message>
        <source>below {limit}</source>
        <translation>{limit} 미만</translation>
    </message>
    <message>
        <source>a multiple of {limit}</source>
        <translation>{limit}의 배수</translation>
    </message>
    <message>
        <source>at least {limit} characters</source>
        <translation>{limit}자 이상</translation>
    </message>
    <message>
        <source>at most {limit} characters</source>
        <translation>{limit}자 이하</translation>
    </message>
    <message>
        <source>matching {limit}</source>
        <translation>{limit}에 맞는 것</translation>
    </message>
    <message>
        <source>in the format {limit}</source>
        <translation>{limit} 형식</translation>
    </message>
    <message>
        <source>at least {limit} items</source>
        <translation>항목 {limit}개 이상</translation>
    </message>
    <message>
        <source>at most {limit} items</source>
        <translation>항목 {limit}개 이하</translation>
    </message>
    <message>
        <source>nothing more: the answer is complete</source>
        <translation>더 없음: 답이 완성되었습니다</translation>
    </message>
    <message>
        <source>the colon after {key}</source>
        <translation>{key} 뒤의 콜론</translation>
    </message>
    <message>
        <source>the rest of {values}</source>
        <translation>{values}의 나머지</translation>
    </message>
    <message>
        <source>item {number}</source>
        <translation>항목 {number}</translation>
    </message>
    <message>
        <source>the closing quote: {where} has the maximum of {count} characters</source>
        <translation>닫는 따옴표: {where}에 {count}자가 다 찼습니다</translation>
    </message>
    <message>
        <source>the rest of {where}, {what}</source>
        <translation>{where}의 나머지, {what}</translation>
    </message>
    <message>
        <source>{what} for {where}</source>
        <translation>{where}에 올 {what}</translation>
    </message>
    <message>
        <source>more of {where}, {what}, or the text after it</source>
        <translation>{where}의 나머지, {what}, 또는 그 뒤에 오는 것</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>아무 값도 안 됨</translation>
    </message>
    <message>
        <source>any value</source>
        <translation>아무 값</translation>
    </message>
    <message>
        <source>the rest of a key</source>
        <translation>키의 나머지</translation>
    </message>
    <message>
        <source>the key {key}</source>
        <translation>키 {key}</translation>
    </message>
    <message>
        <source>a key with another name</source>
        <translation>다른 이름의 키</translation>
    </message>
    <message>
        <source>the end of the object</source>
        <translation>객체의 끝</translation>
    </message>
    <message>
        <source>the end of the object: no further key is allowed</source>
        <translation>객체의 끝: 더 허용되는 키가 없습니다</translation>
    </message>
    <message>
        <source>the end of the list</source>
        <translation>목록의 끝</translation>
    </message>
    <message>
        <source>the end of the list: no further item is allowed</source>
        <translation>목록의 끝: 더 허용되는 항목이 없습니다</translation>
    </message>
    <message>
        <source>required</source>
        <translation>필수</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>선택</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>답</translation>
    </message>
    <message numerus="yes">
        <source>%n items</source>
        <comment>%n item</comment>
        <translation>
            <numerusform>항목 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys</source>
        <comment>%n key</comment>
        <translation>
            <numerusform>키 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>{several} or {last}</source>
        <translation>{several} 또는 {last}</translation>
    </message>
    <message>
        <source>Expected here: {what}.</source>
        <translation>여기서 올 것: {what}.</translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation>키워드</translation>
    </message>
    <message>
        <source>Everything else works as before.</source>
        <translation>그 밖의 것은 모두 전처럼 됩니다.</translation>
    </message>
    <message>
        <source>Not available: the layers of this model can&apos;t be inspected one by one.</source>
        <translation>이 모델의 층은 하나씩 들여다볼 수 없습니다.</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>도구</translation>
    </message>
    <message>
        <source>Functions that the model may call, as JSON. The chat template puts them into the prompt.</source>
        <translation>모델이 부를 수 있는 함수(JSON)입니다. 채팅 템플릿이 프롬프트에 넣습니다.</translation>
    </message>
    <message>
        <source>Sluice doesn&apos;t run tools. A call is shown below the answer, and you enter its result.</source>
        <translation>Sluice는 도구를 실행하지 않습니다. 호출이 답변 아래에 나오면 결과를 직접 입력합니다.</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>도구</translation>
    </message>
    <message>
        <source>Its chat template doesn&apos;t support tools, or mlx-lm can&apos;t parse its calls.</source>
        <translation>채팅 템플릿이 도구를 받지 않거나, mlx-lm이 호출을 읽지 못합니다.</translation>
    </message>
    <message>
        <source>Later it generated the tag itself: it had continued to reason in its answer.</source>
        <translation>나중에 태그를 스스로 생성했습니다. 답변 안에서 추론을 계속한 것입니다.</translation>
    </message>
    <message>
        <source>This call is too long.</source>
        <translation>이 호출은 너무 길어 읽지 못합니다.</translation>
    </message>
    <message>
        <source>mlx-lm can&apos;t read this call: {why}</source>
        <translation>mlx-lm이 이 호출을 읽지 못합니다: {why}</translation>
    </message>
    <message>
        <source>The tools are longer than {most} characters.</source>
        <translation>도구가 {most}자보다 깁니다.</translation>
    </message>
    <message>
        <source>The tools are not valid JSON: {why}.</source>
        <translation>도구가 JSON이 아닙니다: {why}.</translation>
    </message>
    <message>
        <source>There are more than {most} tools.</source>
        <translation>도구가 {most}개를 넘습니다.</translation>
    </message>
    <message>
        <source>There is no tool of this name.</source>
        <translation>이 이름의 도구가 없습니다.</translation>
    </message>
    <message>
        <source>A tool is an object with a name, a description, and parameters as a JSON schema of an object.</source>
        <translation>도구는 이름과 설명, 객체의 JSON 스키마로 적은 매개변수가 있는 객체입니다.</translation>
    </message>
    <message>
        <source>The arguments</source>
        <translation>인수</translation>
    </message>
    <message>
        <source>{place}: must be {kind}.</source>
        <translation>{place}: 필요한 형은 {kind}입니다.</translation>
    </message>
    <message>
        <source>{place}: must be one of {choices}.</source>
        <translation>{place}: {choices} 가운데 하나가 필요합니다.</translation>
    </message>
    <message>
        <source>{place} is missing.</source>
        <translation>빠진 것: {place}.</translation>
    </message>
    <message>
        <source>{place} is not among the parameters.</source>
        <translation>매개변수에 없는 것: {place}.</translation>
    </message>
    <message>
        <source>A list of functions, as JSON</source>
        <translation>함수의 목록, JSON으로</translation>
    </message>
    <message>
        <source>Insert an example: a clock, the weather and a search</source>
        <translation>예를 넣습니다: 시계, 날씨, 검색</translation>
    </message>
    <message>
        <source>Result of the tool</source>
        <translation>도구의 결과</translation>
    </message>
    <message>
        <source>Use an example</source>
        <translation>예시 사용</translation>
    </message>
    <message>
        <source>The arguments match the tool&apos;s description.</source>
        <translation>인수가 도구의 설명과 맞습니다.</translation>
    </message>
    <message>
        <source>The model calls {name}, {number} of {of}</source>
        <translation>모델의 호출: {name}, {of}개 중 {number}번째</translation>
    </message>
    <message>
        <source>Type the tool&apos;s result. Sluice runs no tools.</source>
        <translation>도구의 결과를 입력하세요. Sluice는 도구를 실행하지 않습니다.</translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation>도구 호출</translation>
    </message>
    <message>
        <source>Insert an example result, which you can edit</source>
        <translation>이런 도구가 돌려줄 만한 것. 고쳐 쓰세요</translation>
    </message>
    <message>
        <source>Send this result to the model, which continues with it</source>
        <translation>이 결과로 대화가 이어집니다</translation>
    </message>
    <message>
        <source>Send result</source>
        <translation>결과 주기</translation>
    </message>
    <message>
        <source>The model calls {name}</source>
        <translation>모델의 호출: {name}</translation>
    </message>
    <message>
        <source>The model&apos;s call can&apos;t be parsed</source>
        <translation>모델의 호출을 읽을 수 없습니다</translation>
    </message>
    <message>
        <source>its saved cache was damaged and has been deleted</source>
        <translation>저장해 둔 것이 손상되어 지웠습니다</translation>
    </message>
    <message>
        <source>the disk had no room to save its cache</source>
        <translation>디스크에 자리가 없어 저장하지 못했습니다</translation>
    </message>
    <message>
        <source>Inside the Token</source>
        <translation>토큰 속</translation>
    </message>
    <message>
        <source>Logit lens: the hidden state of each layer, decoded with the final norm and LM head. It shows what is readable there, not what the layer does.</source>
        <translation>로짓 렌즈: 각 층의 은닉 상태를 마지막 정규화와 LM 헤드로 디코딩한 것입니다. 거기서 읽을 수 있는 것을 보여 줄 뿐, 그 층이 하는 일은 아닙니다.</translation>
    </message>
    <message>
        <source>Lens</source>
        <translation>로짓 렌즈</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>구간</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>어텐션</translation>
    </message>
    <message>
        <source>Select a token of an answer first: choose View → Tokens, then click one or use the arrow keys.</source>
        <translation>먼저 답변의 토큰을 고르세요. 보기 → 토큰을 선택하고 클릭하거나 화살표 키를 쓰세요.</translation>
    </message>
    <message>
        <source>Logit lens: the most likely tokens after each layer.</source>
        <translation>로짓 렌즈: 각 층 다음에 확률이 가장 높은 토큰들입니다.</translation>
    </message>
    <message>
        <source>Logit lens: the most likely token after each layer, from this token on.</source>
        <translation>로짓 렌즈: 이 토큰부터 각 층 다음에 확률이 가장 높은 토큰입니다.</translation>
    </message>
    <message>
        <source>The tokens that each head attended to when this token was sampled. Attention isn&apos;t an explanation.</source>
        <translation>이 토큰이 샘플링될 때 각 헤드가 주목한 토큰들입니다. 어텐션은 설명이 아닙니다.</translation>
    </message>
    <message>
        <source>Change of the hidden state by each layer at this token, and tokens with similar states.</source>
        <translation>이 토큰에서 각 층이 받은 것을 얼마나 바꾸는지, 어느 토큰들을 비슷하게 만드는지입니다.</translation>
    </message>
    <message>
        <source>The tokens of a part are removed, and the probability of the same answer is measured again.</source>
        <translation>한 부분의 토큰을 빼고, 같은 답변의 확률을 다시 측정합니다.</translation>
    </message>
    <message>
        <source>One extra forward pass for each part; the conversation doesn&apos;t change</source>
        <translation>부분마다 한 번씩 대화 곁에서 읽으며, 대화는 아무도 묻지 않은 것처럼 이어집니다</translation>
    </message>
    <message>
        <source>One extra forward pass; the conversation doesn&apos;t change</source>
        <translation>대화와 별도로 한 번 계산합니다. 대화는 아무도 보지 않은 것처럼 이어집니다</translation>
    </message>
    <message>
        <source>View</source>
        <translation>보기</translation>
    </message>
    <message>
        <source>Look inside the model at this token</source>
        <translation>이 토큰에서 모델 속 보기</translation>
    </message>
    <message>
        <source>Overview of all layers</source>
        <translation>한눈에 보는 모든 층</translation>
    </message>
    <message>
        <source>Copy all figures of this tab as CSV</source>
        <translation>이 쪽의 모든 수치를 스프레드시트용 CSV로</translation>
    </message>
    <message>
        <source>Copy this view as a picture</source>
        <translation>여기 보이는 것을 그림으로</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>그림 복사</translation>
    </message>
    <message>
        <source>Show the lens of the whole answer, attention patterns of all heads and more in a window of its own</source>
        <translation>답변 전체의 렌즈와 모든 헤드의 어텐션 패턴 등을 별도 창에서 보여 줍니다</translation>
    </message>
    <message>
        <source>Open in Window</source>
        <translation>창에서 열기</translation>
    </message>
    <message>
        <source>Measure attribution</source>
        <translation>기여도 측정</translation>
    </message>
    <message>
        <source>Look inside the model at “{token}”</source>
        <translation>“{token}”에서 모델 속 보기</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>속</translation>
    </message>
    <message>
        <source>Layer {layer}: “{token}”, {chance}</source>
        <translation>층 {layer}: “{token}”, {chance}</translation>
    </message>
    <message>
        <source>Layer {layer}, “{said}”: “{token}”, {chance}</source>
        <translation>층 {layer}, “{said}” 자리: “{token}”, {chance}</translation>
    </message>
    <message>
        <source>{words}, sampled</source>
        <translation>{words}, 실제로 말한 것</translation>
    </message>
    <message>
        <source>Token {place} of {count}: “{token}”, after “{before}”</source>
        <translation>토큰 {count}개 중 {place}번째: “{token}”, “{before}” 뒤</translation>
    </message>
    <message>
        <source>{token} was sampled, but is not the top token even after the last layer.</source>
        <translation>{token}이(가) 뽑혔지만, 마지막 층에서도 확률이 가장 높은 토큰은 아닙니다.</translation>
    </message>
    <message>
        <source>Check: largest difference between the last layer&apos;s logits and the model&apos;s: {difference}.</source>
        <translation>확인: 마지막 층의 로짓과 모델의 로짓 사이의 가장 큰 차이: {difference}.</translation>
    </message>
    <message>
        <source>Layer {layer}</source>
        <translation>층 {layer}</translation>
    </message>
    <message>
        <source>Enter or a double click forks the answer here with this token</source>
        <translation>Enter나 두 번 클릭으로 여기서 이 토큰으로 이어 갑니다</translation>
    </message>
    <message>
        <source>Logit lens by layer</source>
        <translation>각 층이 말했을 것</translation>
    </message>
    <message>
        <source>Attention is shown for the first {most} tokens.</source>
        <translation>헤드가 무엇에 주목하는지는 처음 {most}개 토큰까지만 보입니다.</translation>
    </message>
    <message>
        <source>Pick an earlier token.</source>
        <translation>더 앞의 토큰을 고르세요.</translation>
    </message>
    <message>
        <source>Not available: the attention of this model can&apos;t be read.</source>
        <translation>이 모델의 헤드가 무엇에 주목하는지 볼 수 없습니다.</translation>
    </message>
    <message>
        <source>The command omits the tools.</source>
        <translation>명령에는 도구가 빠집니다.</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>헤드</translation>
    </message>
    <message>
        <source>Induction</source>
        <translation>인덕션</translation>
    </message>
    <message>
        <source>Duplicate token</source>
        <translation>중복 토큰</translation>
    </message>
    <message>
        <source>Local</source>
        <translation>국소</translation>
    </message>
    <message>
        <source>Broad</source>
        <translation>넓음</translation>
    </message>
    <message>
        <source>First token (sink)</source>
        <translation>첫 토큰(싱크)</translation>
    </message>
    <message>
        <source>Score: mean share of the attention, without the first token, over the last 64 tokens.</source>
        <translation>점수: 첫 토큰을 뺀 어텐션에서 차지하는 비율의 평균(마지막 64개 토큰).</translation>
    </message>
    <message>
        <source>Attends to the token after an earlier occurrence of the current token. At least 40 %.</source>
        <translation>현재 토큰이 앞서 나온 곳의 다음 토큰에 주목합니다. 40 % 이상.</translation>
    </message>
    <message>
        <source>Attends to the token before the current one. At least 40 %.</source>
        <translation>현재 토큰의 바로 앞 토큰에 주목합니다. 40 % 이상.</translation>
    </message>
    <message>
        <source>Attends to earlier occurrences of the current token. At least 40 %.</source>
        <translation>현재 토큰이 앞서 나온 곳에 주목합니다. 40 % 이상.</translation>
    </message>
    <message>
        <source>Attends to the current token and the 7 tokens before it. At least 60 %.</source>
        <translation>현재 토큰과 그 앞 7개 토큰에 주목합니다. 60 % 이상.</translation>
    </message>
    <message>
        <source>None of the other groups. Score: exp(entropy) of the attention ÷ number of tokens.</source>
        <translation>다른 그룹에 속하지 않습니다. 점수: 어텐션의 exp(엔트로피) ÷ 토큰 수.</translation>
    </message>
    <message>
        <source>Attention sink: at least 90 % of the attention goes to the first token.</source>
        <translation>어텐션 싱크: 어텐션의 90 % 이상이 첫 토큰으로 갑니다.</translation>
    </message>
    <message>
        <source>Show the attention to the first token. Without it, the colors show the other weights more clearly</source>
        <translation>첫 토큰에 대한 어텐션을 표시합니다. 끄면 다른 가중치가 색으로 더 뚜렷이 보입니다</translation>
    </message>
    <message>
        <source>Attention heads by group</source>
        <translation>그룹별 어텐션 헤드</translation>
    </message>
    <message>
        <source>{group} ({count})</source>
        <translation>{group}({count})</translation>
    </message>
    <message>
        <source>Attention pattern</source>
        <translation>어텐션 패턴</translation>
    </message>
    <message>
        <source>Show attention sinks</source>
        <translation>어텐션 싱크 표시</translation>
    </message>
    <message>
        <source>Layer {layer}, head {head}</source>
        <translation>층 {layer}, 헤드 {head}</translation>
    </message>
    <message>
        <source>No attention to later tokens</source>
        <translation>뒤 토큰에는 어텐션이 없습니다</translation>
    </message>
    <message>
        <source>Attends to</source>
        <translation>주목 대상</translation>
    </message>
    <message>
        <source>Layer and head, counted from 0</source>
        <translation>층과 헤드, 0부터 셉니다</translation>
    </message>
    <message>
        <source>Token with the largest weight. In brackets: the kind of token that gets at least 40 %</source>
        <translation>가장 큰 가중치를 주는 토큰. 괄호 안은 여기에서 가중치의 40 % 이상을 받는 것</translation>
    </message>
    <message>
        <source>the token itself</source>
        <translation>자기 자신</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>앞 토큰</translation>
    </message>
    <message>
        <source>induction</source>
        <translation>인덕션</translation>
    </message>
    <message>
        <source>same token</source>
        <translation>앞의 같은 토큰</translation>
    </message>
    <message>
        <source>{share} in the mean of all heads; possibly no single head has this weight</source>
        <translation>모든 헤드의 평균에서 {share}(이 가중치를 가진 헤드가 하나도 없을 수 있음)</translation>
    </message>
    <message>
        <source>Check: weights × values reproduce the layers&apos; output; largest difference {difference}.</source>
        <translation>이 가중치로 층의 실제 출력이 그대로 나옵니다. 가장 큰 차이는 {difference}입니다.</translation>
    </message>
    <message>
        <source>Full matrix</source>
        <translation>전체 행렬</translation>
    </message>
    <message>
        <source>This token only</source>
        <translation>이 토큰만</translation>
    </message>
    <message>
        <source>Attention matrix of this head, up to 1,024 tokens; one extra forward pass</source>
        <translation>이 헤드가 지금까지의 모든 토큰에서 주목한 곳: 대화 밖에서 한 번 더 읽으며, 1,024개 토큰까지</translation>
    </message>
    <message>
        <source>Mean of the attention matrices of this layer&apos;s heads. It can show links that no single head has</source>
        <translation>이 층 모든 헤드의 어텐션 행렬의 평균. 평균에는 어느 헤드에도 없는 연결이 있을 수 있습니다</translation>
    </message>
    <message>
        <source>Text, colored by the head&apos;s attention</source>
        <translation>헤드가 주목하는 곳</translation>
    </message>
    <message>
        <source>Attention matrix</source>
        <translation>어텐션 행렬</translation>
    </message>
    <message>
        <source>{name}: rows are the attending tokens, columns the tokens they attend to</source>
        <translation>{name}: 행은 주목하는 토큰, 열은 주목받는 토큰</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>어텐션 헤드</translation>
    </message>
    <message>
        <source>{share} of the head&apos;s attention</source>
        <translation>이 헤드 주목의 {share}</translation>
    </message>
    <message>
        <source>The server&apos;s call can&apos;t be read: {why}</source>
        <translation>서버의 호출을 읽을 수 없습니다: {why}</translation>
    </message>
    <message>
        <source>no measurable slowdown</source>
        <translation>측정될 만큼 느려지지 않음</translation>
    </message>
    <message>
        <source>under 0.1 %</source>
        <translation>0.1 % 미만</translation>
    </message>
    <message>
        <source>{share} of the model</source>
        <translation>모델의 {share}</translation>
    </message>
    <message>
        <source>{token} is the top token only after the last layer, {last}.</source>
        <translation>모델은 마지막 층({last})에 이르러서야 {token} 토큰으로 정합니다.</translation>
    </message>
    <message>
        <source>{token} is the top token from layer {stays} to the last layer, {last}.</source>
        <translation>모델은 0~{last}층 가운데 {stays}층에서 {token} 토큰으로 정합니다.</translation>
    </message>
    <message>
        <source>{token} is the top token in layer {leads} for the first time, and from layer {stays} to the last layer, {last}.</source>
        <translation>{token} 토큰은 {leads}층에서 처음 앞서고, 모델은 0~{last}층 가운데 {stays}층에서 이 토큰으로 정합니다.</translation>
    </message>
    <message>
        <source>punctuation</source>
        <translation>문장 부호</translation>
    </message>
    <message>
        <source>it has more than {count} columns</source>
        <translation>열이 {count}개보다 많습니다</translation>
    </message>
    <message>
        <source>it has more than {count} rows</source>
        <translation>행이 {count}개보다 많습니다</translation>
    </message>
    <message>
        <source>row {row} has a text of more than a million characters</source>
        <translation>{row}행에 백만 자가 넘는 글이 있습니다</translation>
    </message>
    <message>
        <source>row {row} has no list of turns in its column “messages”</source>
        <translation>{row}행의 “messages” 열에 대화 차례의 목록이 없습니다</translation>
    </message>
    <message>
        <source>row {row} has a NUL byte</source>
        <translation>{row}행에 NUL 바이트가 있습니다</translation>
    </message>
    <message>
        <source>it has no rows</source>
        <translation>행이 없습니다</translation>
    </message>
    <message>
        <source>“{name}” can&apos;t be a column name: it is empty, too long, or has braces or invisible characters</source>
        <translation>“{name}”은(는) 열 이름이 될 수 없습니다. 비었거나 너무 길거나, 중괄호나 보이지 않는 글자가 있습니다</translation>
    </message>
    <message>
        <source>Change the file, or open another one.</source>
        <translation>고치거나 다른 것을 여세요.</translation>
    </message>
    <message>
        <source>it isn&apos;t text: it has NUL bytes</source>
        <translation>NUL 바이트가 있어 텍스트가 아닙니다</translation>
    </message>
    <message>
        <source>A Parquet file needs the Python package pyarrow.</source>
        <translation>Parquet 파일을 읽으려면 Python 패키지 pyarrow가 필요합니다.</translation>
    </message>
    <message>
        <source>Use a JSONL or CSV version of the file.</source>
        <translation>이 파일의 JSONL 또는 CSV 버전을 사용하세요.</translation>
    </message>
    <message>
        <source>Install it: {command}</source>
        <translation>설치하세요: {command}</translation>
    </message>
    <message>
        <source>it isn&apos;t a valid Parquet file</source>
        <translation>올바른 Parquet 파일이 아닙니다</translation>
    </message>
    <message>
        <source>it isn&apos;t a list of rows</source>
        <translation>행의 목록이 아닙니다</translation>
    </message>
    <message numerus="yes">
        <source>%n files were skipped: they aren&apos;t text files.</source>
        <comment>%n file was skipped: it isn&apos;t a text file.</comment>
        <translation>
            <numerusform>텍스트가 아닌 파일 %n개를 뺐습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>it is neither UTF-8 nor UTF-16 text</source>
        <translation>UTF-8이나 UTF-16 텍스트가 아닙니다</translation>
    </message>
    <message>
        <source>a prompt set is a folder of texts or one of these files: {known}</source>
        <translation>프롬프트 세트는 텍스트가 든 폴더이거나 다음 파일 가운데 하나입니다: {known}</translation>
    </message>
    <message>
        <source>two columns have the same name</source>
        <translation>두 열의 이름이 같습니다</translation>
    </message>
    <message>
        <source>row {row} has more cells than the header (a text with “{sign}” in it needs quotation marks)</source>
        <translation>{row}행의 칸이 머리글보다 많습니다(“{sign}”이(가) 든 글은 따옴표로 묶어야 합니다)</translation>
    </message>
    <message>
        <source>row {row} is neither an object nor a text</source>
        <translation>{row}행은 객체도 글도 아닙니다</translation>
    </message>
    <message>
        <source>Sums</source>
        <translation>덧셈</translation>
    </message>
    <message>
        <source>Counting</source>
        <translation>수 세기</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>따라 쓰기</translation>
    </message>
    <message>
        <source>Names from earlier turns</source>
        <translation>앞서 말한 이름</translation>
    </message>
    <message>
        <source>Recall a name from an earlier turn</source>
        <translation>몇 차례 전에 말한 이름</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>행</translation>
    </message>
    <message>
        <source>Calibration error (95 % CI)</source>
        <translation>보정 오차 (95 % CI)</translation>
    </message>
    <message>
        <source>Brier score (95 % CI)</source>
        <translation>브라이어 점수 (95 % CI)</translation>
    </message>
    <message>
        <source>Prompt set</source>
        <translation>프롬프트 세트</translation>
    </message>
    <message>
        <source>{title}, {rows} rows</source>
        <translation>{title}, {rows}행</translation>
    </message>
    <message>
        <source>Settings of all variants</source>
        <translation>모든 변형의 설정</translation>
    </message>
    <message>
        <source>Answers of each row</source>
        <translation>행마다 답변 수</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>행</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>맞음</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>갈래</translation>
    </message>
    <message>
        <source>{second} minus {first}</source>
        <translation>{second} − {first}</translation>
    </message>
    <message>
        <source>Rates of the variants</source>
        <translation>갈래별 비율</translation>
    </message>
    <message>
        <source>Pairs of variants</source>
        <translation>갈래의 쌍</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>비율</translation>
    </message>
    <message>
        <source>A point for the rate of each variant, a line for its 95 % confidence interval</source>
        <translation>점은 갈래마다의 비율, 선은 그 95 % 신뢰 구간입니다</translation>
    </message>
    <message>
        <source>Rates</source>
        <translation>비율</translation>
    </message>
    <message>
        <source>Rate (%)</source>
        <translation>비율 (%)</translation>
    </message>
    <message>
        <source>Share of correct answers among the rows that could be judged.</source>
        <translation>판정할 수 있었던 행 가운데 갈래가 맞게 답한 비율입니다.</translation>
    </message>
    <message>
        <source>95 % CI</source>
        <translation>95 % 신뢰 구간</translation>
    </message>
    <message>
        <source>95 % confidence interval of the rate (Wilson) or of the paired difference (Agresti–Min). It assumes that the rows are a random sample of such prompts.</source>
        <translation>비율(Wilson) 또는 짝지은 차이(Agresti–Min)의 95 % 신뢰 구간입니다. 행들이 이런 프롬프트의 무작위 표본이라고 가정합니다.</translation>
    </message>
    <message>
        <source>Difference (points)</source>
        <translation>차이 (점)</translation>
    </message>
    <message>
        <source>Rate of the second variant minus rate of the first, over rows that both answered.</source>
        <translation>두 갈래가 모두 답한 행에서, 두 번째 갈래의 비율에서 첫 번째 갈래의 비율을 뺀 값입니다.</translation>
    </message>
    <message>
        <source>p-value</source>
        <translation>p값</translation>
    </message>
    <message>
        <source>Exact two-sided p-value (McNemar; sign flips where rows have several answers), Holm-corrected for all pairs. A difference is significant at 0.05 or less, with a 95 % CI that excludes 0.</source>
        <translation>정확한 양측 p값(McNemar, 행마다 답이 여럿이면 부호 뒤집기)을 모든 짝에 대해 Holm 보정한 값입니다. 0.05 이하이고 95 % 신뢰 구간에 0이 없으면 차이가 유의합니다.</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>차이</translation>
    </message>
    <message>
        <source>Rate by score</source>
        <translation>점수별 정답률</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>점수</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>보정</translation>
    </message>
    <message>
        <source>Confidence (%)</source>
        <translation>확신도 (%)</translation>
    </message>
    <message>
        <source>Differences in calibration</source>
        <translation>보정의 차이</translation>
    </message>
    <message>
        <source>{number} ({low} to {high})</source>
        <translation>{number} ({low}~{high})</translation>
    </message>
    <message numerus="yes">
        <source>%n more rows are in the other exports.</source>
        <comment>%n more row is in the other exports.</comment>
        <translation>
            <numerusform>나머지 %n행은 다른 내보내기에 있습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Takes about {most}, with a prefill speed of {speed} (last measured).</source>
        <translation>마지막으로 잰 프리필 속도 {speed}로 약 {most} 걸립니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n rows are too few for a significant difference.</source>
        <comment>%n row is too few for a significant difference.</comment>
        <translation>
            <numerusform>%n행으로는 어떤 차이도 보일 수 없습니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows can show differences of {points} points</source>
        <comment>%n row can show differences of {points} points</comment>
        <translation>
            <numerusform>%n행으로 {points}점의 차이를 보일 수 있고</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>or smaller ones, since each row has %n answers</source>
        <translation>
            <numerusform>각 행을 %n번 물으므로 더 작은 차이도 보일 수 있으며</numerusform>
        </translation>
    </message>
    <message>
        <source>80 % power, if the variants differ in one row of five</source>
        <translation>갈래들이 다섯 행에 하나꼴로 다르다면 다섯 번에 네 번 찾아냅니다</translation>
    </message>
    <message>
        <source>80 % power, if the variants differ in no other rows</source>
        <translation>갈래들이 다른 행에서는 다르지 않다면 다섯 번에 네 번 찾아냅니다</translation>
    </message>
    <message numerus="yes">
        <source>corrected for %n comparisons</source>
        <translation>
            <numerusform>비교 %n번에 맞게 보정함</numerusform>
        </translation>
    </message>
    <message>
        <source>as written</source>
        <translation>쓰인 그대로</translation>
    </message>
    <message>
        <source>lower case</source>
        <translation>소문자</translation>
    </message>
    <message>
        <source>upper case</source>
        <translation>대문자</translation>
    </message>
    <message>
        <source>log-likelihood</source>
        <translation>로그 가능도</translation>
    </message>
    <message>
        <source>log-likelihood per character</source>
        <translation>문자당 로그 가능도</translation>
    </message>
    <message>
        <source>log-likelihood per byte</source>
        <translation>바이트당 로그 가능도</translation>
    </message>
    <message>
        <source>log-likelihood minus the unconditional one</source>
        <translation>로그 가능도에서 무조건부 값을 뺀 값</translation>
    </message>
    <message>
        <source>No answer was checked.</source>
        <translation>판정된 것이 없습니다.</translation>
    </message>
    <message>
        <source>Choose the better of two answers under Blind A/B. Reveal shows which variants they are.</source>
        <translation>직접 판단할 차례입니다. 블라인드 A/B에서 두 답 가운데 나은 것을 고르세요. 밝히기를 누르면 누구의 답이었는지 알려 줍니다.</translation>
    </message>
    <message numerus="yes">
        <source>{arm}: {rate} of %n rows right (95 % CI {range})</source>
        <comment>{arm}: {rate} of %n row right (95 % CI {range})</comment>
        <translation>
            <numerusform>{arm}: %n행 중 {rate} 맞음 (95 % 신뢰 구간 {range})</numerusform>
        </translation>
    </message>
    <message>
        <source>{arm}: no significant calibration error: {error} (95 % CI {range}; p-value {p}).</source>
        <translation>{arm}: 유의한 보정 오차 없음: {error} (95 % CI {range}, p값 {p}).</translation>
    </message>
    <message>
        <source>{arm} is overconfident: calibration error {error} (95 % CI {range}; p-value {p}).</source>
        <translation>{arm}: 과신함, 보정 오차 {error} (95 % CI {range}, p값 {p}).</translation>
    </message>
    <message>
        <source>{arm} is underconfident: calibration error {error} (95 % CI {range}; p-value {p}).</source>
        <translation>{arm}: 확신 부족, 보정 오차 {error} (95 % CI {range}, p값 {p}).</translation>
    </message>
    <message>
        <source>{arm} is not calibrated: calibration error {error} (95 % CI {range}; p-value {p}).</source>
        <translation>{arm}: 보정되지 않음, 보정 오차 {error} (95 % CI {range}, p값 {p}).</translation>
    </message>
    <message>
        <source>{second} has the scores of {first}: only model, adapter, prompt and wording change a score.</source>
        <translation>{second}의 점수는 {first}의 점수와 같습니다. 모델, 어댑터, 프롬프트, 말투만 점수를 바꿉니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n answers could not be checked; their rows are excluded.</source>
        <comment>%n answer could not be checked; its row is excluded.</comment>
        <translation>
            <numerusform>답 %n개는 판정할 수 없어 그 행을 뺐습니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows are excluded from a comparison: one of the two variants has no checked answer there.</source>
        <comment>%n row is excluded from a comparison: one of the two variants has no checked answer there.</comment>
        <translation>
            <numerusform>두 갈래를 비교할 때 행 %n개는 뺐습니다. 둘 중 하나에 판정할 수 있는 답이 없습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The evaluation was stopped before its end.</source>
        <translation>끝나기 전에 멈췄습니다.</translation>
    </message>
    <message>
        <source>No significant preference between {first} and {second}</source>
        <translation>{first}, {second} 사이에 유의한 선호 차이 없음</translation>
    </message>
    <message>
        <source>{second} is better than {first} by {points}</source>
        <translation>{second}이(가) {first}보다 {points} 나음</translation>
    </message>
    <message>
        <source>No significant difference: {second} minus {first} is {points}</source>
        <translation>유의한 차이 없음: {second} − {first} = {points}</translation>
    </message>
    <message numerus="yes">
        <source>{clause} (95 % CI {range}), %n pairs</source>
        <comment>{clause} (95 % CI {range}), %n pair</comment>
        <translation>
            <numerusform>{clause} (95 % 신뢰 구간 {range}), %n쌍</numerusform>
        </translation>
    </message>
    <message>
        <source>{second} is preferred to {first}</source>
        <translation>{first}보다 {second} 쪽이 더 마음에 듦</translation>
    </message>
    <message numerus="yes">
        <source>{clause}: {second} in {rate} of %n rows (95 % CI {range}), ties as half</source>
        <comment>{clause}: {second} in {rate} of %n row (95 % CI {range}), ties as half</comment>
        <translation>
            <numerusform>{clause}: %n행 중 {rate}에서 {second} (95 % 신뢰 구간 {range}), 비긴 것은 절반으로</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The wording alone moves the rate from {least} to {most}: with {how} %n rows of {rows} change.</source>
        <comment>The wording alone moves the rate from {least} to {most}: with {how} %n row of {rows} changes.</comment>
        <translation>
            <numerusform>말투만으로 비율이 {least}에서 {most}까지 달라집니다. {how}: {rows}행 가운데 %n행이 바뀝니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} of %n pairs of variants differ significantly.</source>
        <comment>{count} of %n pair of variants differs significantly.</comment>
        <translation>
            <numerusform>비교한 %n쌍 중 {count}쌍이 유의하게 다릅니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answers failed.</source>
        <comment>%n answer failed.</comment>
        <translation>
            <numerusform>답 %n개가 실패했습니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answers failed and count as not right.</source>
        <comment>%n answer failed and counts as not right.</comment>
        <translation>
            <numerusform>답 %n개가 실패하여 맞지 않은 것으로 칩니다.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; p-value {p}, Holm-corrected for %n comparisons</source>
        <comment>; p-value {p}</comment>
        <translation>
            <numerusform>; p값 {p}, 비교 %n번에 대해 Holm 보정</numerusform>
        </translation>
    </message>
    <message>
        <source>{number} point</source>
        <translation>{number}점</translation>
    </message>
    <message>
        <source>{number} points</source>
        <translation>{number}점</translation>
    </message>
    <message>
        <source>States</source>
        <translation>상태</translation>
    </message>
    <message>
        <source>The attention matrix is available for the first {most} tokens.</source>
        <translation>전체 그림은 처음 {most}개 토큰까지만 그립니다.</translation>
    </message>
    <message>
        <source>Mean over the layer&apos;s heads</source>
        <translation>층의 헤드 평균</translation>
    </message>
    <message>
        <source>Choose a head first.</source>
        <translation>먼저 헤드를 고르세요.</translation>
    </message>
    <message>
        <source>The matrix is limited to {most} tokens.</source>
        <translation>전체 그림은 처음 {most}개 토큰까지만 그립니다.</translation>
    </message>
    <message>
        <source>From “{one}” ({row}) to “{other}” ({column}): {share}</source>
        <translation>“{one}”({row})에서 “{other}”({column})로: {share}</translation>
    </message>
    <message>
        <source>No clear attention pattern over the last tokens of the text.</source>
        <translation>텍스트의 마지막 토큰들에서는 뚜렷이 하는 일이 없습니다.</translation>
    </message>
    <message>
        <source>Over the last tokens of the text: {kind}, {share}.</source>
        <translation>텍스트의 마지막 토큰들에서: {kind}, {share}.</translation>
    </message>
    <message>
        <source>Layer {layer}, mean of its heads</source>
        <translation>층 {layer}, 헤드들의 평균</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>층</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>변화</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>코사인</translation>
    </message>
    <message>
        <source>Counted from 0; the matrix below is of the selected layer</source>
        <translation>0부터 셉니다. 고른 층의 그림이 아래에 있습니다</translation>
    </message>
    <message>
        <source>Hidden states by layer</source>
        <translation>각 층이 넘겨주는 것</translation>
    </message>
    <message>
        <source>Cosine similarity of tokens</source>
        <translation>토큰들이 얼마나 비슷한지</translation>
    </message>
    <message>
        <source>Layer {layer}: cosine similarity of {count} tokens</source>
        <translation>층 {layer}: 토큰 {count}개 가운데 어느 둘 사이의 코사인</translation>
    </message>
    <message numerus="yes">
        <source>From token {start} of the answer on, the same %n tokens repeat {rounds} times.</source>
        <comment>From token {start} of the answer on, the same token repeats {rounds} times.</comment>
        <translation>
            <numerusform>답의 {start}번째 토큰부터 같은 토큰 %n개가 {rounds}번 되풀이됩니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>From token {agree} on, the last layer&apos;s states are equal in each repetition.</source>
        <translation>{agree}번째 토큰부터는 마지막 층의 상태가 매번 같습니다.</translation>
    </message>
    <message>
        <source>Norm of the layer&apos;s output vector</source>
        <translation>층 출력 벡터의 노름</translation>
    </message>
    <message>
        <source>‖output − input‖ ÷ ‖input‖</source>
        <translation>‖출력 − 입력‖ ÷ ‖입력‖</translation>
    </message>
    <message>
        <source>Cosine similarity of output and input: 1 is the same direction, 0 a right angle</source>
        <translation>출력과 입력의 코사인 유사도: 1은 같은 방향, 0은 직각</translation>
    </message>
    <message>
        <source>Nearest in the embedding: {tokens}</source>
        <translation>임베딩에서 가장 가까운 토큰: {tokens}</translation>
    </message>
    <message>
        <source>“{one}” ({row}) and “{other}” ({column}): cosine {cosine}</source>
        <translation>“{one}”({row})과(와) “{other}”({column}): 코사인 {cosine}</translation>
    </message>
    <message>
        <source>As measured here on {day}: {concluded}</source>
        <translation>{day}에 여기서 측정한 결과: {concluded}</translation>
    </message>
    <message>
        <source>a trailing space</source>
        <translation>끝의 빈칸</translation>
    </message>
    <message>
        <source>another order</source>
        <translation>다른 순서</translation>
    </message>
    <message>
        <source>{clause}; an answer takes {tokens} tokens and {time}</source>
        <translation>{clause}; 답 하나에 토큰 {tokens}개와 {time}가 듭니다</translation>
    </message>
    <message>
        <source>Prompt set: {title}</source>
        <translation>프롬프트 세트: {title}</translation>
    </message>
    <message>
        <source>The session database has the answers of this evaluation, but not its prompt set.</source>
        <translation>기록에 이 연구의 답은 있지만, 세트는 함께 보관되지 않았습니다.</translation>
    </message>
    <message>
        <source>Open the file of the prompt set: Start then resumes the evaluation.</source>
        <translation>세트의 파일을 여세요. 시작하면 멈춘 곳에서 이어집니다.</translation>
    </message>
    <message>
        <source>This model gives other results if a prompt is prefilled in chunks, so effects can&apos;t be measured.</source>
        <translation>이 모델은 프롬프트를 나누어 프리필하면 결과가 달라져 효과를 측정할 수 없습니다.</translation>
    </message>
    <message>
        <source>Sum of the single effects: {sum} nats; effect of removing all parts: {all}. The two can differ: redundant parts have small single effects, and parts that depend on each other are counted several times.</source>
        <translation>부분별 효과의 합: {sum}내트, 모두 뺐을 때: {all}. 같을 필요는 없습니다. 겹치는 부분은 저마다 작게, 함께여야 작용하는 부분은 저마다 온전히 나타납니다.</translation>
    </message>
    <message>
        <source>The whole answer</source>
        <translation>답변 전체</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>뺀 부분</translation>
    </message>
    <message>
        <source>The removed part of the prompt; all other tokens stay</source>
        <translation>그 부분의 토큰만 빼고 나머지는 그대로 둡니다</translation>
    </message>
    <message>
        <source>Generate the answer again with the shorter prompt. The conversation doesn&apos;t change</source>
        <translation>더 짧은 프롬프트 뒤에 답변을 한 번 더 씁니다. 대화는 그대로 있습니다</translation>
    </message>
    <message>
        <source>{nats} nats more likely</source>
        <translation>찬성 {nats}내트</translation>
    </message>
    <message>
        <source>{nats} nats less likely</source>
        <translation>반대 {nats}내트</translation>
    </message>
    <message>
        <source>Smaller parts need more passes. Select tokens in the text below to remove only those</source>
        <translation>잘게 나눌수록 더 여러 번 읽습니다. 아래 텍스트의 토큰을 끌어 선택하면 그것만 뺍니다</translation>
    </message>
    <message>
        <source>The whole answer, the selected token, or the choice between that token and another</source>
        <translation>답변 전체, 고른 토큰, 또는 그 토큰과 다른 토큰 사이의 선택</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>문장</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>차례</translation>
    </message>
    <message>
        <source>More than {most} tokens: sentences are removed instead.</source>
        <translation>토큰이 {most}개가 넘어 문장을 뺍니다.</translation>
    </message>
    <message>
        <source>More than {most} sentences: whole turns are removed instead.</source>
        <translation>문장이 {most}개가 넘어 한 차례에 한 말 전체를 하나씩 뺍니다.</translation>
    </message>
    <message>
        <source>More than {most} turns: several are removed together.</source>
        <translation>차례가 {most}개가 넘어 몇 개씩 함께 뺍니다.</translation>
    </message>
    <message>
        <source>Selected tokens</source>
        <translation>선택한 토큰</translation>
    </message>
    <message>
        <source>Parts to remove</source>
        <translation>뺄 부분</translation>
    </message>
    <message>
        <source>Target of the effects</source>
        <translation>무엇에 효과가 있었는지</translation>
    </message>
    <message>
        <source>Try without them</source>
        <translation>빼고 해 보기</translation>
    </message>
    <message>
        <source>Prompt, colored by effect</source>
        <translation>프롬프트, 말마다의 효과</translation>
    </message>
    <message>
        <source>not removed</source>
        <translation>빼지 않음</translation>
    </message>
    <message>
        <source>{token} rather than {other}</source>
        <translation>{other} 대신 {token}</translation>
    </message>
    <message numerus="yes">
        <source>Without %n tokens the top token stays the same throughout the answer</source>
        <comment>Without %n token the top token stays the same throughout the answer</comment>
        <translation>
            <numerusform>토큰 %n개가 없어도 답변의 모든 자리에서 가장 그럴듯한 토큰이 같습니다</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Without %n tokens the answer stays the same</source>
        <comment>Without %n token the answer stays the same</comment>
        <translation>
            <numerusform>토큰 %n개가 없어도 답변은 같습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>{words}.</source>
        <translation>{words}.</translation>
    </message>
    <message>
        <source>{words}; time to first token: {time} less.</source>
        <translation>{words}. 첫 토큰은 {time} 더 빨리 나옵니다.</translation>
    </message>
    <message>
        <source>Same answer. Time to first token: {time}.</source>
        <translation>같은 답변입니다. 첫 토큰까지 {time} 걸렸습니다.</translation>
    </message>
    <message>
        <source>Different answer. Time to first token: {time}. “{text}”</source>
        <translation>다른 답변입니다. 첫 토큰까지 {time} 걸렸습니다: “{text}”</translation>
    </message>
    <message>
        <source>Check: largest difference of the answer&apos;s log-probability between two ways to prefill: {difference}.</source>
        <translation>확인: 두 가지 프리필 방식 사이 답변 로그 확률의 최대 차이는 {difference}입니다.</translation>
    </message>
    <message>
        <source>Nats</source>
        <translation>내트</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>층</translation>
    </message>
    <message>
        <source>Its probability</source>
        <translation>그 확률</translation>
    </message>
    <message>
        <source>Most likely from layer</source>
        <translation>이 층부터 가장 그럴듯함</translation>
    </message>
    <message>
        <source>Most likely token after each layer</source>
        <translation>층마다 그 뒤에서 가장 그럴듯한 토큰</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>헤드</translation>
    </message>
    <message>
        <source>Induction heads</source>
        <translation>인덕션 헤드</translation>
    </message>
    <message>
        <source>Clearest induction head</source>
        <translation>가장 분명한 인덕션 헤드</translation>
    </message>
    <message>
        <source>Token that it attends to most</source>
        <translation>가장 주목하는 토큰</translation>
    </message>
    <message>
        <source>Its attention to that token</source>
        <translation>그 토큰에 대한 어텐션</translation>
    </message>
    <message>
        <source>Parts of the prompt</source>
        <translation>프롬프트의 부분</translation>
    </message>
    <message>
        <source>Part with the largest effect</source>
        <translation>영향이 가장 큰 부분</translation>
    </message>
    <message>
        <source>Its effect</source>
        <translation>그 영향</translation>
    </message>
    <message>
        <source>Tokens that can be left out</source>
        <translation>빼도 되는 토큰</translation>
    </message>
    <message>
        <source>effect {nats} nats</source>
        <translation>효과 {nats}내트</translation>
    </message>
    <message>
        <source>Press Start. The rates of the variants appear here with their confidence intervals.</source>
        <translation>시작을 누르세요. 갈래별 비율이 신뢰 구간과 함께 여기에 나옵니다.</translation>
    </message>
    <message>
        <source>The variant on the left</source>
        <translation>왼쪽 갈래</translation>
    </message>
    <message>
        <source>The variant on the right</source>
        <translation>오른쪽 갈래</translation>
    </message>
    <message>
        <source>Answer on the left</source>
        <translation>왼쪽 답</translation>
    </message>
    <message>
        <source>Answer on the right</source>
        <translation>오른쪽 답</translation>
    </message>
    <message>
        <source>Interim: {sentence}</source>
        <translation>중간 결과: {sentence}</translation>
    </message>
    <message>
        <source>Rows in which the variants differ come first; choose one to read its answers</source>
        <translation>갈래끼리 다른 행이 먼저 나옵니다. 행을 고르면 답을 읽을 수 있습니다</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>답</translation>
    </message>
    <message>
        <source>Row {row}: {values}</source>
        <translation>{row}행: {values}</translation>
    </message>
    <message>
        <source>Anywhere in the answer.</source>
        <translation>답의 어느 곳이든 됩니다.</translation>
    </message>
    <message>
        <source>Shorter than</source>
        <translation>다음보다 짧음</translation>
    </message>
    <message>
        <source>Other Wordings</source>
        <translation>다른 말투</translation>
    </message>
    <message>
        <source>Generated Answer</source>
        <translation>생성한 답변</translation>
    </message>
    <message>
        <source>The same model generates an answer that must name the expected choice</source>
        <translation>같은 모델이 답변을 생성하며, 답변은 기대하는 선택지를 말해야 합니다</translation>
    </message>
    <message>
        <source>The variants follow the controls until Start. With a check, they begin at temperature 0.</source>
        <translation>갈래는 시작 전까지 생성 옵션을 따릅니다. 판정 방법이 있으면 온도 0에서 시작합니다.</translation>
    </message>
    <message>
        <source>Difference of the variant</source>
        <translation>갈래의 다른 점</translation>
    </message>
    <message>
        <source>Its value</source>
        <translation>값</translation>
    </message>
    <message>
        <source>One value, or several: 0, 0.7, 1</source>
        <translation>값 하나 또는 여럿: 0, 0.7, 1</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>다른 모델</translation>
    </message>
    <message>
        <source>Add a variant that differs in this setting</source>
        <translation>이 설정이 다른 갈래를 더합니다</translation>
    </message>
    <message>
        <source>Add Variant</source>
        <translation>갈래 추가</translation>
    </message>
    <message>
        <source>Equal to the expected value</source>
        <translation>기대하는 값과 같음</translation>
    </message>
    <message>
        <source>Whitespace around it is ignored. Case matters.</source>
        <translation>앞뒤의 공백은 무시하고, 대소문자는 구별합니다.</translation>
    </message>
    <message>
        <source>Contains the expected value</source>
        <translation>기대하는 값이 들어 있음</translation>
    </message>
    <message>
        <source>The expected number</source>
        <translation>기대하는 수</translation>
    </message>
    <message>
        <source>Compares the last number of the answer. Tolerance:</source>
        <translation>답의 마지막 수를 견줍니다. 허용 오차:</translation>
    </message>
    <message>
        <source>Matches a pattern</source>
        <translation>패턴에 맞음</translation>
    </message>
    <message>
        <source>A regular expression. Empty: the expected value is the pattern.</source>
        <translation>정규 표현식입니다. 비워 두면 기대하는 값을 패턴으로 씁니다.</translation>
    </message>
    <message>
        <source>Valid for a JSON schema</source>
        <translation>JSON 스키마에 맞음</translation>
    </message>
    <message>
        <source>The schema. Empty: the expected value is the schema.</source>
        <translation>스키마입니다. 비워 두면 기대하는 값을 스키마로 씁니다.</translation>
    </message>
    <message>
        <source>The expected choice</source>
        <translation>기대하는 선택지</translation>
    </message>
    <message>
        <source>The answer names one of the row&apos;s choices, and it is the expected one.</source>
        <translation>답이 행의 선택지 가운데 하나를 말하며, 그것이 기대하는 선택지입니다.</translation>
    </message>
    <message>
        <source>Likeliest choice</source>
        <translation>가능도가 가장 높은 선택지</translation>
    </message>
    <message>
        <source>The log-likelihood of each choice after the prompt is computed. The likeliest choice is the answer.</source>
        <translation>프롬프트 뒤에 오는 각 선택지의 로그 가능도를 계산합니다. 가능도가 가장 높은 선택지가 답변입니다.</translation>
    </message>
    <message>
        <source>Number of tokens:</source>
        <translation>토큰 수:</translation>
    </message>
    <message>
        <source>Finish reason: stop</source>
        <translation>종료 이유: stop</translation>
    </message>
    <message>
        <source>The answer did not reach max tokens.</source>
        <translation>답이 최대 토큰 수에 이르지 않았습니다.</translation>
    </message>
    <message>
        <source>By hand: blind A/B</source>
        <translation>직접 판정: 블라인드 A/B</translation>
    </message>
    <message>
        <source>You compare two answers without knowing their variants.</source>
        <translation>어느 갈래의 답인지 모르는 채로 두 답을 견줍니다.</translation>
    </message>
    <message>
        <source>Output format: JSON schema</source>
        <translation>출력 형식: JSON 스키마</translation>
    </message>
    <message>
        <source>Output format: pattern</source>
        <translation>출력 형식: 패턴</translation>
    </message>
    <message>
        <source>Output format: choices, separated by commas</source>
        <translation>출력 형식: 선택지(쉼표로 구분)</translation>
    </message>
    <message>
        <source>The same rows with a trailing space, and in lower case</source>
        <translation>같은 행을 끝에 공백을 두어, 또 소문자로 보냅니다</translation>
    </message>
    <message>
        <source>Reasoning Budgets</source>
        <translation>추론 예산</translation>
    </message>
    <message>
        <source>The same model with other reasoning budgets</source>
        <translation>같은 모델을 다른 추론 예산으로 견줍니다</translation>
    </message>
    <message>
        <source>The variants are fixed since Start.</source>
        <translation>갈래는 시작할 때 고정되었습니다.</translation>
    </message>
    <message>
        <source>This variant exists already.</source>
        <translation>같은 갈래가 이미 있습니다.</translation>
    </message>
    <message>
        <source>An evaluation can have at most {most} variants.</source>
        <translation>한 평가의 갈래는 {most}개까지입니다.</translation>
    </message>
    <message>
        <source>Replace the variants by one with the current settings</source>
        <translation>갈래들을 현재 설정의 갈래 하나로 바꿉니다</translation>
    </message>
    <message>
        <source>Use Current Settings</source>
        <translation>현재 설정 사용</translation>
    </message>
    <message>
        <source>The setting in which the new variant differs from the first</source>
        <translation>새 갈래가 첫 번째 갈래와 다른 설정</translation>
    </message>
    <message>
        <source>Models on this computer</source>
        <translation>이 컴퓨터의 모델</translation>
    </message>
    <message>
        <source>Remove the chosen variant</source>
        <translation>고른 갈래를 뺍니다</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>검사</translation>
    </message>
    <message>
        <source>Check of an answer</source>
        <translation>답을 판정하는 방법</translation>
    </message>
    <message>
        <source>The pattern, schema or number that the check uses</source>
        <translation>검사에 쓸 패턴, 스키마 또는 숫자</translation>
    </message>
    <message>
        <source>Argument of the check</source>
        <translation>검사의 인수</translation>
    </message>
    <message>
        <source>The score by which a choice is the likeliest. The results show the rate by each score</source>
        <translation>가능도가 가장 높은 선택지를 정하는 점수입니다. 결과에는 각 점수의 정답률이 표시됩니다</translation>
    </message>
    <message>
        <source>Record the probability of each generated answer, and show the calibration</source>
        <translation>생성한 답변마다 확률을 기록하고 보정을 보여 줍니다</translation>
    </message>
    <message>
        <source>Record confidence</source>
        <translation>확신도 기록</translation>
    </message>
    <message>
        <source>likeliest choice</source>
        <translation>가능도가 가장 높은 선택지</translation>
    </message>
    <message>
        <source>generated answer</source>
        <translation>생성한 답변</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>선택…</translation>
    </message>
    <message>
        <source>Presets:</source>
        <translation>준비된 갈래:</translation>
    </message>
    <message>
        <source>Runs of each row, each with another seed</source>
        <translation>행마다 실행할 횟수. 실행할 때마다 시드가 다릅니다</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>반복 수</translation>
    </message>
    <message>
        <source>Batch size. Rows are batched where the answers stay the same</source>
        <translation>배치 크기. 답이 같은 경우에만 행을 묶어 실행합니다</translation>
    </message>
    <message>
        <source>The models and settings that are compared, and how an answer is judged</source>
        <translation>견줄 모델과 설정, 그리고 답을 판정하는 방법</translation>
    </message>
    <message>
        <source>Rows at once</source>
        <translation>동시 행</translation>
    </message>
    <message>
        <source>Key: ←</source>
        <translation>키: ←</translation>
    </message>
    <message>
        <source>← Left is better</source>
        <translation>← 왼쪽이 나음</translation>
    </message>
    <message>
        <source>Key: = or ↓</source>
        <translation>키: = 또는 ↓</translation>
    </message>
    <message>
        <source>= Equal</source>
        <translation>= 비슷함</translation>
    </message>
    <message>
        <source>Key: →</source>
        <translation>키: →</translation>
    </message>
    <message>
        <source>Right is better →</source>
        <translation>오른쪽이 나음 →</translation>
    </message>
    <message>
        <source>Answer on the left, variant hidden</source>
        <translation>왼쪽 답, 갈래는 숨김</translation>
    </message>
    <message>
        <source>Answer on the right, variant hidden</source>
        <translation>오른쪽 답, 갈래는 숨김</translation>
    </message>
    <message>
        <source>The variants are revealed at the end.</source>
        <translation>어느 갈래의 답인지는 끝에 보여 줍니다.</translation>
    </message>
    <message>
        <source>{votes}; ±{now} percentage points. Enough: ±{enough}, and {least} votes per pair</source>
        <translation>{votes}, ±{now}점. 쌍마다 ±{enough}점과 {least}표면 충분합니다</translation>
    </message>
    <message>
        <source>The rates appear here after the first answers.</source>
        <translation>첫 답변이 나오면 비율이 여기에 나타납니다.</translation>
    </message>
    <message>
        <source>{share}  {choice}  ({nats} nats)</source>
        <translation>{share}  {choice}  ({nats}내트)</translation>
    </message>
    <message>
        <source>confidence {share}</source>
        <translation>확신도 {share}</translation>
    </message>
    <message>
        <source>Two answers to a row appear here as soon as there are any.</source>
        <translation>한 행에 대한 답이 둘 생기면 여기에 나옵니다.</translation>
    </message>
    <message>
        <source>The confidence interval is narrow enough. Reveal shows the variants.</source>
        <translation>신뢰 구간이 충분히 좁습니다. 밝히기를 누르면 갈래를 보여 줍니다.</translation>
    </message>
    <message>
        <source>All pairs of answers are judged. Reveal shows the variants.</source>
        <translation>모든 답의 쌍을 판정했습니다. 밝히기를 누르면 갈래를 보여 줍니다.</translation>
    </message>
    <message>
        <source>Prompt of both answers</source>
        <translation>두 답의 프롬프트</translation>
    </message>
    <message>
        <source>Show the variants and which was preferred</source>
        <translation>갈래와, 어느 쪽이 더 나았는지 보여 줍니다</translation>
    </message>
    <message>
        <source>Blind A/B</source>
        <translation>블라인드 A/B</translation>
    </message>
    <message>
        <source>The arrow keys choose the better answer; = means equal</source>
        <translation>화살표 키로 나은 답을 고르고, =는 비슷하다는 뜻입니다</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>공개</translation>
    </message>
    <message>
        <source>The Folder of an Adapter</source>
        <translation>어댑터 폴더</translation>
    </message>
    <message>
        <source>Adapter {name}</source>
        <translation>어댑터 {name}</translation>
    </message>
    <message numerus="yes">
        <source>%n votes</source>
        <comment>%n vote</comment>
        <translation>
            <numerusform>%n표</numerusform>
        </translation>
    </message>
    <message>
        <source>Add two numbers up to 20</source>
        <translation>20까지의 두 수 더하기</translation>
    </message>
    <message>
        <source>Count from one number to another</source>
        <translation>한 수에서 다른 수까지 세기</translation>
    </message>
    <message>
        <source>Repeat the given words</source>
        <translation>같은 말 한 번 더 쓰기</translation>
    </message>
    <message>
        <source>{role}: {text}</source>
        <translation>{role}: {text}</translation>
    </message>
    <message>
        <source>Number of the row</source>
        <translation>행 번호</translation>
    </message>
    <message>
        <source>Tokens of the rendered prompt. Prompts that leave no room for an answer are marked</source>
        <translation>템플릿을 적용한 프롬프트의 토큰 수. 답할 자리가 남지 않는 프롬프트를 표시합니다</translation>
    </message>
    <message>
        <source>{count}, too long</source>
        <translation>{count}, 너무 김</translation>
    </message>
    <message>
        <source>Run every prompt of a table with several models or settings, check the answers, and test whether the difference is significant.</source>
        <translation>표의 모든 프롬프트를 여러 모델이나 설정으로 실행하고, 답을 검사하고, 차이가 유의한지 검정합니다.</translation>
    </message>
    <message>
        <source>Through the chat template</source>
        <translation>채팅 템플릿을 거쳐 보냅니다</translation>
    </message>
    <message>
        <source>Rows of the set</source>
        <translation>세트의 행</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>기대하는 값</translation>
    </message>
    <message>
        <source>Prompt of a row</source>
        <translation>행의 프롬프트</translation>
    </message>
    <message>
        <source>System prompt of a row</source>
        <translation>행의 시스템 프롬프트</translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <comment>%n row</comment>
        <translation>
            <numerusform>%n행</numerusform>
        </translation>
    </message>
    <message>
        <source>Open File…</source>
        <translation>파일 열기…</translation>
    </message>
    <message>
        <source>Open Folder…</source>
        <translation>폴더 열기…</translation>
    </message>
    <message>
        <source>It is sent as soon as the session is open.</source>
        <translation>세션이 열리는 대로 보냅니다.</translation>
    </message>
    <message>
        <source>Mean speed ÷ memory-bandwidth limit at the middle of the answer.</source>
        <translation>평균 속도 ÷ 답의 가운데에서의 상한.</translation>
    </message>
    <message>
        <source>made by another model or version; the prompt was prefilled again</source>
        <translation>다른 모델이나 버전의 것이어서, 프롬프트를 다시 프리필했습니다</translation>
    </message>
    <message>
        <source>The open model&apos;s kind of KV cache can&apos;t be saved on disk, so it stays in memory only.</source>
        <translation>열린 모델의 캐시는 파일에서 다시 읽을 수 없는 종류여서 메모리에만 둡니다.</translation>
    </message>
    <message>
        <source>its saved cache is from another model or version</source>
        <translation>저장해 둔 것은 지금의 모델과 버전의 것이 아닙니다</translation>
    </message>
    <message>
        <source>{cell}. Token {place}, entropy {bits}</source>
        <translation>{cell}. {place}번째 토큰, 엔트로피 {bits}</translation>
    </message>
    <message>
        <source>Token {place} of {count}: “{token}”</source>
        <translation>토큰 {count}개 중 {place}번째: “{token}”</translation>
    </message>
    <message>
        <source>Template: {text}</source>
        <translation>템플릿: {text}</translation>
    </message>
    <message>
        <source>Effect on</source>
        <translation>효과 대상</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{total}개 중 {done}개</translation>
    </message>
    <message>
        <source>Takes up to {most} at {speed} (last measured).</source>
        <translation>마지막으로 잰 {speed}로 최대 {most} 걸립니다.</translation>
    </message>
    <message numerus="yes">
        <source>Takes up to {most} at {speed} (last measured), or up to {least} if batches of %n rows take no longer than one row.</source>
        <comment>Takes up to {most} at {speed} (last measured), or up to {least} if batches of %n row take no longer than one row.</comment>
        <translation>
            <numerusform>마지막으로 잰 {speed}로 최대 {most} 걸립니다. 행 %n개를 한꺼번에 물어도 하나보다 더 들지 않는다면 최대 {least}입니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>시작하는 중…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>중지하는 중…</translation>
    </message>
    <message>
        <source>complete ({reason})</source>
        <translation>완료 ({reason})</translation>
    </message>
    <message>
        <source>max tokens ({reason})</source>
        <translation>최대 토큰 ({reason})</translation>
    </message>
    <message>
        <source>{reason}. The text was sent without the chat template, so the model may not stop.</source>
        <translation>{reason}. 이 페이지는 채팅 템플릿 없이 보냈으므로 모델이 어디서 끝내야 할지 모를 수 있습니다.</translation>
    </message>
    <message>
        <source>tok/s now</source>
        <translation>현재 토큰/초</translation>
    </message>
    <message>
        <source>{time} elapsed</source>
        <translation>경과 {time}</translation>
    </message>
    <message>
        <source>Decode time</source>
        <translation>디코딩 시간</translation>
    </message>
    <message>
        <source>From the arrival of the first token to that of the last. The wait for the first token is not part of it. Mean speed is (n − 1) ÷ this time.</source>
        <translation>첫 토큰이 도착한 때부터 마지막 토큰이 도착한 때까지의 시간입니다. 첫 토큰을 기다린 시간은 들어가지 않습니다. 평균 속도는 (n − 1) ÷ 이 시간입니다.</translation>
    </message>
    <message>
        <source>Ended by the server ({reason})</source>
        <translation>서버가 끝냄 ({reason})</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>이유 없음</translation>
    </message>
    <message>
        <source>Complete (stop)</source>
        <translation>완료 (stop)</translation>
    </message>
    <message>
        <source>Complete (stop token)</source>
        <translation>완료 (중지 토큰)</translation>
    </message>
    <message>
        <source>Complete (EOS)</source>
        <translation>완료 (EOS)</translation>
    </message>
    <message>
        <source>{ending}, not in the output format</source>
        <translation>{ending}, 출력 형식에 맞지 않음</translation>
    </message>
    <message>
        <source>The server ended the answer without a finish reason.</source>
        <translation>서버가 종료 사유 없이 답변을 끝냈습니다.</translation>
    </message>
    <message>
        <source>The server reported “stop”: an EOS token, or a stop string of its own.</source>
        <translation>서버가 “stop”을 보고했습니다. EOS 토큰이거나 서버 자체의 중지 문자열입니다.</translation>
    </message>
    <message>
        <source>The server ended the answer with the finish reason “{reason}”.</source>
        <translation>서버가 종료 사유 “{reason}”(으)로 답변을 끝냈습니다.</translation>
    </message>
    <message>
        <source>ended by the server ({reason})</source>
        <translation>서버가 끝냄 ({reason})</translation>
    </message>
    <message>
        <source>Reached the server&apos;s token limit ({written})</source>
        <translation>서버의 토큰 한도에서 멈춤 ({written})</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens were constrained; {forced} had only one valid choice. On average {share} of the probability was ruled out (sum: {mass}).</source>
        <comment>%n token was constrained; {forced} had only one valid choice. On average {share} of the probability was ruled out (sum: {mass}).</comment>
        <translation>
            <numerusform>제약된 토큰 %n개, 그중 {forced}개는 가능한 선택이 하나뿐이었습니다. 평균 {share}의 확률이 배제되었습니다(합계: {mass}).</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>메모리</translation>
    </message>
    <message>
        <source>Attribution</source>
        <translation>기여도</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>노름</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>첫 토큰</translation>
    </message>
    <message>
        <source>{active} of {limit}</source>
        <translation>{active} / {limit}</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>효과</translation>
    </message>
    <message>
        <source>ln p of the answer with the whole prompt minus ln p without one part of it, in nats. Effects of parts need not add up.</source>
        <translation>프롬프트 전체가 있을 때 답변의 ln p에서 한 부분을 뺐을 때의 ln p를 뺀 값(내트)입니다. 부분별 효과의 합은 전체와 다를 수 있습니다.</translation>
    </message>
    <message>
        <source>The less likely a token was, the stronger its background. Hover over a token to see its alternatives.</source>
        <translation>토큰의 바탕색은 가능성이 낮을수록 짙습니다. 포인터를 올리면 대신 나올 수 있던 것이 보입니다.</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>추론</translation>
    </message>
    <message>
        <source>Rows with the largest differences</source>
        <translation>차이가 가장 큰 행</translation>
    </message>
    <message>
        <source>{model} is ready.</source>
        <translation>{model} 모델이 준비되었습니다.</translation>
    </message>
    <message>
        <source>The help page is missing. Install Sluice again.</source>
        <translation>도움말 페이지가 없습니다. Sluice를 다시 설치하세요.</translation>
    </message>
    <message numerus="yes">
        <source>%n parameters</source>
        <comment>%n parameter</comment>
        <translation>
            <numerusform>매개변수 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>This run used the adapter {adapter}: open {name} with it first.</source>
        <translation>먼저 {name}을(를) 어댑터 {adapter}와(과) 함께 여세요. 이 실행에 쓰인 어댑터입니다.</translation>
    </message>
    <message>
        <source>This answer was generated by {writer}, but {model} is open, which has other token ids.</source>
        <translation>이 답변을 생성한 모델은 {writer}인데, 지금 열린 {model}은(는) 토큰 ID가 다릅니다.</translation>
    </message>
    <message>
        <source>Open {writer} to continue it, or regenerate it.</source>
        <translation>이어 쓰려면 {writer} 모델을 여세요. 아니면 다시 생성하세요.</translation>
    </message>
    <message>
        <source>Perplexity measurement</source>
        <translation>퍼플렉서티 측정</translation>
    </message>
    <message>
        <source>Speed measurement</source>
        <translation>속도 측정</translation>
    </message>
    <message>
        <source>“{title}”: {what}</source>
        <translation>“{title}”: {what}</translation>
    </message>
    <message>
        <source>The server process ended without output.</source>
        <translation>서버 프로세스가 아무 출력 없이 끝났습니다.</translation>
    </message>
    <message>
        <source>The answer so far doesn&apos;t match the output format.</source>
        <translation>지금까지의 답변이 출력 형식에 맞지 않습니다.</translation>
    </message>
    <message>
        <source>An error ended the evaluation.</source>
        <translation>평가가 도중에 중단되었습니다.</translation>
    </message>
    <message>
        <source>The set has no column {names}. Write literal braces twice.</source>
        <translation>세트에 {names} 열이 없습니다. 변수가 아닌 중괄호는 두 번 씁니다.</translation>
    </message>
    <message>
        <source>unlimited reasoning</source>
        <translation>마음껏 생각함</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens of reasoning</source>
        <comment>%n token of reasoning</comment>
        <translation>
            <numerusform>토큰 %n개만큼 생각함</numerusform>
        </translation>
    </message>
    <message>
        <source>no reasoning</source>
        <translation>생각하지 않음</translation>
    </message>
    <message>
        <source>a batch of {count}, from {arm}</source>
        <translation>{count}개 한꺼번에, {arm}부터</translation>
    </message>
    <message>
        <source>This engine has no batches.</source>
        <translation>이 엔진은 한 번에 한 가지 일만 합니다.</translation>
    </message>
    <message>
        <source>The rerun was stopped.</source>
        <translation>다시 실행이 중지되었습니다.</translation>
    </message>
    <message>
        <source>The models have different vocabularies: only their bits per byte can be compared.</source>
        <translation>두 모델의 어휘가 달라서 바이트당 비트만 견줄 수 있습니다. 바이트를 세는 유일한 숫자입니다.</translation>
    </message>
    <message>
        <source>KL divergence {kl} nats per token; same top-1 token {same}. With the second model, the text is {own} nats per token less likely.</source>
        <translation>KL 발산 토큰당 {kl}내트, 첫 선택의 {same} 같음. 두 번째 모델에서는 글 자체가 토큰당 {own}내트 덜 그럴듯함.</translation>
    </message>
    <message>
        <source>{first} and {second} bits per byte.</source>
        <translation>바이트당 {first}비트와 {second}비트.</translation>
    </message>
    <message>
        <source>{nats} nats per token over {tokens} tokens: perplexity {perplexity}, {bits} bits per byte.</source>
        <translation>토큰 {tokens}개에서 토큰당 {nats}내트: 퍼플렉서티 {perplexity}, 바이트당 {bits}비트.</translation>
    </message>
    <message numerus="yes">
        <source>Longer than the context window: scored in %n windows. Each starts half a window after the one before.</source>
        <translation>
            <numerusform>컨텍스트 창보다 길어서 창 %n개로 나누어 채점했습니다. 창마다 앞의 창보다 절반 뒤에서 시작합니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped: these values cover the part that both models have scored.</source>
        <translation>멈춤: 두 모델이 모두 지금까지 읽은 부분의 숫자입니다.</translation>
    </message>
    <message>
        <source>Fewer than {least} tokens: too short for a confidence interval.</source>
        <translation>토큰이 {least}개보다 적어 신뢰 구간을 내기에 짧습니다.</translation>
    </message>
    <message>
        <source>The text was passed in chunks of {size} tokens.</source>
        <translation>글을 토큰 {size}개씩 나누어 넣었습니다.</translation>
    </message>
    <message>
        <source>A full window got one token at a time.</source>
        <translation>가득 찬 윈도에는 토큰을 하나씩 넣었습니다.</translation>
    </message>
    <message>
        <source>Stopped: these values cover the part that was scored.</source>
        <translation>멈춤: 지금까지 읽은 부분의 숫자입니다.</translation>
    </message>
    <message>
        <source>The text is longer than the context window: only its beginning was scored.</source>
        <translation>글이 컨텍스트 윈도보다 길어 앞부분만 채점했습니다.</translation>
    </message>
    <message>
        <source>The model doesn&apos;t find the planted facts with the full cache either.</source>
        <translation>모델은 전체 캐시로도 심은 사실을 찾지 못합니다.</translation>
    </message>
    <message>
        <source>{name}: KL divergence {kl} nats per token; same top-1 token {same}; the text {own} nats per token less likely; {saved} bytes per token saved; {breaks}.</source>
        <translation>{name}: KL 발산 토큰당 {kl}내트, 첫 선택의 {same} 같음, 글 자체는 토큰당 {own}내트 덜 그럴듯함, 토큰당 {saved}바이트 절약, {breaks}.</translation>
    </message>
    <message>
        <source>no break</source>
        <translation>붕괴 없음</translation>
    </message>
    <message>
        <source>breaks at token {token}</source>
        <translation>토큰 {token}에서 붕괴</translation>
    </message>
    <message>
        <source>found</source>
        <translation>찾음</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>잃음</translation>
    </message>
    <message>
        <source>full</source>
        <translation>전체</translation>
    </message>
    <message>
        <source>Planted fact at {depth} %, {distance} tokens before the question: {found}.</source>
        <translation>{depth} % 지점에 심은 사실(질문보다 토큰 {distance}개 앞): {found}.</translation>
    </message>
    <message>
        <source>This check</source>
        <translation>이 검사</translation>
    </message>
    <message>
        <source>Your template</source>
        <translation>직접 쓴 템플릿</translation>
    </message>
    <message>
        <source>The command needs the file of the examples: add them again.</source>
        <translation>명령에는 예시 파일이 필요합니다. 예시를 다시 추가하세요.</translation>
    </message>
    <message>
        <source>The system prompt or reply prefix of the controls</source>
        <translation>설정의 시스템 프롬프트나 답변 첫머리</translation>
    </message>
    <message>
        <source>The setting in which one of these variants differs</source>
        <translation>이 갈래 가운데 하나가 다른 설정</translation>
    </message>
    <message>
        <source>{what} has no command-line switch.</source>
        <translation>{what}: 명령줄 스위치가 없습니다.</translation>
    </message>
    <message>
        <source>Type a text to split it into tokens.</source>
        <translation>글을 입력하면 토큰으로 나눕니다.</translation>
    </message>
    <message>
        <source>Open a model first: its tokenizer splits the text.</source>
        <translation>먼저 모델을 여세요. 그 토크나이저가 글을 나눕니다.</translation>
    </message>
    <message>
        <source>Loading the tokens…</source>
        <translation>토큰을 불러오는 중…</translation>
    </message>
    <message>
        <source>Values of the variants</source>
        <translation>갈래별 값</translation>
    </message>
    <message>
        <source>No effect at temperature 0: the most likely token is always taken.</source>
        <translation>온도가 0이면 효과가 없습니다. 항상 가장 확률이 높은 토큰을 고릅니다.</translation>
    </message>
    <message>
        <source>No effect while {setting} is {value}.</source>
        <translation>{setting} 값이 {value}인 동안에는 효과가 없습니다.</translation>
    </message>
    <message>
        <source>The KV cache is off.</source>
        <translation>KV 캐시가 꺼져 있습니다.</translation>
    </message>
    <message>
        <source>A KV cache of limited size can&apos;t be quantized.</source>
        <translation>크기가 제한된 KV 캐시는 양자화할 수 없습니다.</translation>
    </message>
    <message>
        <source>A quantized KV cache can&apos;t be limited in size.</source>
        <translation>양자화된 KV 캐시는 크기를 제한할 수 없습니다.</translation>
    </message>
    <message>
        <source>No effect while the KV cache is not quantized.</source>
        <translation>KV 캐시를 양자화하지 않아 효과가 없습니다.</translation>
    </message>
    <message>
        <source>This server&apos;s key has invalid characters.</source>
        <translation>이 서버의 키에 쓸 수 없는 문자가 있습니다.</translation>
    </message>
    <message>
        <source>Enter it again in the model picker.</source>
        <translation>모델 선택기에서 다시 입력하세요.</translation>
    </message>
    <message>
        <source>This server was tested, and doesn&apos;t support this output format.</source>
        <translation>이 서버를 시험해 보았는데 이 출력 형식을 지원하지 않습니다.</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>일반 파일이 아닙니다</translation>
    </message>
    <message>
        <source>The settings could not be read ({why}), so Sluice uses the defaults.</source>
        <translation>설정을 읽지 못해서({why}) Sluice가 기본 설정으로 시작합니다.</translation>
    </message>
    <message>
        <source>The settings could not be read, so Sluice uses the defaults. The old settings are in {file}.</source>
        <translation>설정을 읽지 못해서 Sluice가 기본 설정으로 시작합니다. 이전 설정은 {file}에 보관되어 있습니다.</translation>
    </message>
    <message>
        <source>The {keychain} can&apos;t store a key with these characters.</source>
        <translation>이런 문자가 든 키는 {keychain}에 둘 수 없습니다.</translation>
    </message>
    <message>
        <source>This token is from another branch. Rerun it there.</source>
        <translation>다른 분기에서 이어받은 토큰이므로 그 분기에서 다시 실행해야 합니다.</translation>
    </message>
    <message>
        <source>The server did not send them.</source>
        <translation>이 답변을 쓴 서버가 알려 주지 않았습니다.</translation>
    </message>
    <message>
        <source>Not available during a run.</source>
        <translation>실행 중에는 쓸 수 없습니다.</translation>
    </message>
    <message>
        <source>Heat map; the arrow keys read its cells. It is empty until you look inside a token</source>
        <translation>히트맵: 화살표 키로 칸을 읽습니다. 토큰 속을 보기 전에는 비어 있습니다</translation>
    </message>
    <message>
        <source>“{name}” is larger than 1 MB.</source>
        <translation>‘{name}’은(는) 1 MB보다 큽니다.</translation>
    </message>
    <message>
        <source>A prompt can have at most {most} files with 1 MB in total.</source>
        <translation>프롬프트에는 합쳐서 1 MB 이하의 파일을 {most}개까지 붙일 수 있습니다.</translation>
    </message>
    <message>
        <source>“{name}” is a picture. Sluice runs text models only.</source>
        <translation>“{name}”은(는) 그림인데, Sluice가 돌리는 모델은 글만 읽습니다.</translation>
    </message>
    <message>
        <source>That is a picture. Sluice runs text models only.</source>
        <translation>그것은 그림인데, Sluice가 돌리는 모델은 글만 읽습니다.</translation>
    </message>
    <message>
        <source>“{name}” isn&apos;t text in UTF-8 or UTF-16.</source>
        <translation>“{name}”은(는) UTF-8이나 UTF-16으로 된 글이 아니어서 읽을 것이 없습니다.</translation>
    </message>
    <message>
        <source>Attach a text file.</source>
        <translation>텍스트 파일을 고르세요.</translation>
    </message>
    <message>
        <source>Attach Files</source>
        <translation>파일 첨부</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>캐시됨</translation>
    </message>
    <message>
        <source>Surprisal of the prompt: {words}</source>
        <translation>프롬프트의 놀라움: {words}</translation>
    </message>
    <message>
        <source>Prompt warnings: none</source>
        <translation>프롬프트 경고: 없음</translation>
    </message>
    <message>
        <source>Prompt warnings: {lights}</source>
        <translation>프롬프트 경고: {lights}</translation>
    </message>
    <message>
        <source>{part}, cached</source>
        <translation>{part}, 캐시됨</translation>
    </message>
    <message>
        <source>Token legend</source>
        <translation>토큰의 범례</translation>
    </message>
    <message>
        <source>Probability of the top token</source>
        <translation>최상위 토큰의 확률</translation>
    </message>
    <message>
        <source>Probability of the sampled token</source>
        <translation>샘플링된 토큰의 확률</translation>
    </message>
    <message>
        <source>The value that the color of a cell shows. Each cell names the top token; bold: it was sampled</source>
        <translation>칸의 색이 나타내는 값입니다. 각 칸은 확률이 가장 높은 토큰이며, 굵은 글씨는 샘플링된 토큰입니다</translation>
    </message>
    <message>
        <source>Keep the answer up to here and continue with the selected token in place of the sampled one</source>
        <translation>여기까지의 답변을 유지하고, 샘플링된 토큰 대신 선택한 토큰으로 이어 갑니다</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>색</translation>
    </message>
    <message>
        <source>Logit lens: layers and tokens</source>
        <translation>로짓 렌즈: 층과 토큰</translation>
    </message>
    <message>
        <source>Top tokens of the layer</source>
        <translation>층의 최상위 토큰들</translation>
    </message>
    <message>
        <source>Fork Here</source>
        <translation>여기서 포크</translation>
    </message>
    <message>
        <source>After layer {layer}: entropy {bits}; probability of the sampled token {share}.</source>
        <translation>층 {layer} 다음: 엔트로피 {bits}, 샘플링된 토큰의 확률 {share}.</translation>
    </message>
    <message>
        <source>None of the {count} sampled tokens is the top token after the last layer, {last}.</source>
        <translation>샘플링된 토큰 {count}개 중 마지막 층 {last} 다음에 최상위 토큰인 것이 없습니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n of the {count} sampled tokens are the top token after the last layer, {last}; half of these for good by layer {layer}.</source>
        <comment>%n of the {count} sampled tokens is the top token after the last layer, {last}, from layer {layer} on.</comment>
        <translation>
            <numerusform>샘플링된 토큰 {count}개 중 %n개가 마지막 층 {last} 다음에 최상위 토큰입니다. 그 절반은 층 {layer}부터 그렇습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Half of the {count} sampled tokens are the top token for good by layer {layer} (last layer: {last}).</source>
        <translation>샘플링된 토큰 {count}개 중 절반은 층 {layer}(마지막 층 {last})부터 최상위 토큰입니다.</translation>
    </message>
    <message>
        <source>Back to the text view</source>
        <translation>토큰을 숨기고 텍스트로 돌아가기</translation>
    </message>
    <message>
        <source>surprisal undefined: the first token has no context</source>
        <translation>놀라움을 정의할 수 없음: 첫 토큰에는 앞 문맥이 없습니다</translation>
    </message>
    <message>
        <source>The prompt has changed. Press “Surprisal” again to measure it.</source>
        <translation>프롬프트가 바뀌었습니다. ‘놀라움’을 다시 눌러 측정하세요.</translation>
    </message>
    <message>
        <source>{number} of {count}: id {id}, {text}, {details}</source>
        <translation>{count}개 중 {number}번째: id {id}, {text}, {details}</translation>
    </message>
    <message>
        <source>No prompt yet.</source>
        <translation>아직 프롬프트가 없습니다.</translation>
    </message>
    <message>
        <source>accepted draft token</source>
        <translation>수락된 드래프트 토큰</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens, {reused} cached: {text}</source>
        <comment>%n token, {reused} cached: {text}</comment>
        <translation>
            <numerusform>토큰 %n개, 그중 {reused}개 캐시됨: {text}</numerusform>
        </translation>
    </message>
    <message>
        <source>surprisal {bits} bits, probability {chance}, rank {rank} (top token)</source>
        <translation>놀라움 {bits}비트, 확률 {chance}, 순위 {rank} (1순위 토큰)</translation>
    </message>
    <message>
        <source>surprisal {bits} bits, probability {chance}, rank {rank}; top token: {text} {its_chance}</source>
        <translation>놀라움 {bits}비트, 확률 {chance}, 순위 {rank}. 1순위 토큰: {text} {its_chance}</translation>
    </message>
    <message>
        <source>mean {mean} bits, total {total} bits</source>
        <translation>평균 {mean}비트, 합계 {total}비트</translation>
    </message>
    <message>
        <source>Collapse {section}</source>
        <translation>{section} 접기</translation>
    </message>
    <message>
        <source>Expand {section}</source>
        <translation>{section} 펼치기</translation>
    </message>
    <message>
        <source>A run is in progress. Stop it first, or wait until it ends.</source>
        <translation>실행 중입니다. 먼저 중지하거나 끝날 때까지 기다리세요.</translation>
    </message>
    <message numerus="yes">
        <source>%n sessions weren&apos;t changed for {days} days and will be deleted at the next start. Pin sessions to keep them, or change the time in Settings.</source>
        <comment>%n session wasn&apos;t changed for {days} days and will be deleted at the next start. Pin it to keep it, or change the time in Settings.</comment>
        <translation>
            <numerusform>세션 %n개가 {days}일 동안 바뀌지 않았습니다. 다음에 Sluice를 시작할 때 완전히 삭제합니다. 보관할 세션은 고정하거나, 설정에서 기간을 바꾸세요.</numerusform>
        </translation>
    </message>
    <message>
        <source>{failure} The bundled model is open instead.</source>
        <translation>{failure} 대신 Sluice에 들어 있는 모델을 열었습니다.</translation>
    </message>
    <message>
        <source>The settings could not be saved ({error}); they are used until Sluice quits.</source>
        <translation>설정을 저장하지 못했습니다({error}). Sluice를 끝낼 때까지는 적용됩니다.</translation>
    </message>
    <message>
        <source>Same as the preset.</source>
        <translation>프리셋과 같습니다.</translation>
    </message>
    <message>
        <source>Reset to {original}, the value in “{preset}”.</source>
        <translation>“{preset}”의 값은 {original}입니다. 그 값으로 되돌립니다.</translation>
    </message>
    <message>
        <source>{setting}: reset to the preset</source>
        <translation>{setting}: 프리셋으로 되돌리기</translation>
    </message>
    <message>
        <source>It no longer exists.</source>
        <translation>더 이상 없는 항목입니다.</translation>
    </message>
    <message>
        <source>The arrow keys move between the numbers</source>
        <translation>화살표 키로 수치를 옮겨 갑니다</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>대기</translation>
    </message>
    <message>
        <source>chat template</source>
        <translation>채팅 템플릿</translation>
    </message>
    <message>
        <source>cache lookup</source>
        <translation>캐시 찾기</translation>
    </message>
    <message>
        <source>setup</source>
        <translation>준비</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>프리필</translation>
    </message>
    <message>
        <source>first decode step</source>
        <translation>첫 디코딩 단계</translation>
    </message>
    <message>
        <source>Apache 2.0 license</source>
        <translation>Apache 2.0 라이선스</translation>
    </message>
    <message>
        <source>Llama 3.2 license</source>
        <translation>Llama 3.2 라이선스</translation>
    </message>
    <message>
        <source>Chat and summaries</source>
        <translation>대화와 요약</translation>
    </message>
    <message>
        <source>Tiny, fast on every computer</source>
        <translation>아주 작아 어떤 컴퓨터에서도 빠름</translation>
    </message>
    <message>
        <source>Small and fast, with reasoning</source>
        <translation>작고 빠르며 추론 가능</translation>
    </message>
    <message>
        <source>Chat with more knowledge</source>
        <translation>더 많은 지식으로 대화</translation>
    </message>
    <message>
        <source>Reasoning, code and math</source>
        <translation>추론, 코드, 수학</translation>
    </message>
    <message>
        <source>Download a model</source>
        <translation>모델 다운로드</translation>
    </message>
    <message>
        <source>These fit into {limit} of memory. Times at {rate} Mbit/s.</source>
        <translation>메모리 {limit}에 맞습니다. 시간은 {rate} Mbit/s 기준입니다.</translation>
    </message>
    <message>
        <source>about {size}</source>
        <translation>약 {size}</translation>
    </message>
    <message>
        <source>Download this model from Hugging Face, and open it when it is complete</source>
        <translation>Hugging Face에서 이 모델을 다운로드하고, 완료되면 엽니다</translation>
    </message>
    <message>
        <source>Download {model}</source>
        <translation>{model} 다운로드</translation>
    </message>
    <message>
        <source>Name between 1 and {most} KV cache variants.</source>
        <translation>KV 캐시 변형을 1개에서 {most}개까지 적으세요.</translation>
    </message>
    <message>
        <source>“{text}”: a window has {range} tokens, and keeps fewer first tokens than that.</source>
        <translation>“{text}”: 윈도 크기는 토큰 {range}개이며, 남기는 처음 토큰은 그보다 적습니다.</translation>
    </message>
    <message>
        <source>“{text}”: mlx-lm quantizes to {bits} bits, in groups of {groups}.</source>
        <translation>“{text}”: mlx-lm은 {bits}비트로, {groups}개씩 묶어 양자화합니다.</translation>
    </message>
    <message>
        <source>“{text}”: mlx-lm can&apos;t quantize a rotating KV cache.</source>
        <translation>“{text}”: mlx-lm은 회전하는 KV 캐시를 양자화할 수 없습니다.</translation>
    </message>
    <message>
        <source>“{text}” is not a KV cache variant. Examples: 8, 4@512, window:256:4.</source>
        <translation>“{text}”은(는) KV 캐시 변형이 아닙니다. 예: 8, 4@512, window:256:4.</translation>
    </message>
    <message>
        <source>Window of {size} tokens, first {keep} kept</source>
        <translation>토큰 {size}개 윈도, 처음 {keep}개 유지</translation>
    </message>
    <message>
        <source>{bits}-bit, groups of {group}</source>
        <translation>{bits}비트, {group}개씩 묶음</translation>
    </message>
    <message>
        <source>{name}, from token {start}</source>
        <translation>{name}, 토큰 {start}부터</translation>
    </message>
    <message>
        <source>The KV cache of this model isn&apos;t plain, so a window can&apos;t replace it.</source>
        <translation>이 모델의 KV 캐시는 기본형이 아니어서 윈도로 바꿀 수 없습니다.</translation>
    </message>
    <message>
        <source>Remove the window, or open another model.</source>
        <translation>윈도를 빼거나 다른 모델을 여세요.</translation>
    </message>
    <message numerus="yes">
        <source>{model}, %n runs: {variants} variants ({names}) × {rounds} rounds.</source>
        <translation>
            <numerusform>{model}, 실행 %n번: 갈래 {variants}개({names}) × {rounds}회.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In addition %n batches of them.</source>
        <comment>In addition %n batch of them.</comment>
        <translation>
            <numerusform>그 밖에 이들의 배치 %n개.</numerusform>
        </translation>
    </message>
    <message>
        <source>At most about {duration}, at {speed} tok/s as in its last runs.</source>
        <translation>마지막 실행들의 속도 {speed} tok/s로 길어야 약 {duration}.</translation>
    </message>
    <message numerus="yes">
        <source>Loading models %n times takes additional time.</source>
        <comment>Loading a model takes additional time.</comment>
        <translation>
            <numerusform>모델을 %n번 여는 시간이 더 걸립니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Prefill speed (tok/s)</source>
        <translation>프리필 속도 (tok/s)</translation>
    </message>
    <message>
        <source>Mean speed (tok/s)</source>
        <translation>평균 속도 (tok/s)</translation>
    </message>
    <message>
        <source>End to end (tok/s)</source>
        <translation>전체 속도 (tok/s)</translation>
    </message>
    <message>
        <source>Total time</source>
        <translation>전체 시간</translation>
    </message>
    <message>
        <source>{amount} more</source>
        <translation>{amount} 더 많음</translation>
    </message>
    <message>
        <source>{amount} less</source>
        <translation>{amount} 더 적음</translation>
    </message>
    <message>
        <source>{amount} longer</source>
        <translation>{amount} 더 김</translation>
    </message>
    <message>
        <source>{amount} shorter</source>
        <translation>{amount} 더 짧음</translation>
    </message>
    <message>
        <source>Memory of the weights</source>
        <translation>가중치 메모리</translation>
    </message>
    <message>
        <source>Memory of the KV cache</source>
        <translation>KV 캐시 메모리</translation>
    </message>
    <message>
        <source>Mean surprisal</source>
        <translation>평균 놀라움</translation>
    </message>
    <message>
        <source>Single runs: speeds also depend on the load of the computer. Several rounds show by how much.</source>
        <translation>한 번씩 실행한 결과입니다. 속도는 컴퓨터의 부하에 따라서도 달라집니다. 여러 라운드를 재면 그 크기를 알 수 있습니다.</translation>
    </message>
    <message>
        <source>Medians of {rounds} rounds. {least} rounds are needed for a confidence interval.</source>
        <translation>{rounds}회차의 중앙값. 신뢰 구간에는 {least}회차가 필요합니다.</translation>
    </message>
    <message>
        <source>Medians of {rounds} rounds. In brackets: difference from A, with the confidence interval of the ratio (96 % for all columns of a row together).</source>
        <translation>{rounds}회차의 중앙값. 괄호 안: A와의 차이와 비율의 신뢰 구간(한 행의 모든 열을 합쳐 96 %).</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>같음</translation>
    </message>
    <message>
        <source>not significant</source>
        <translation>유의하지 않음</translation>
    </message>
    <message>
        <source>{difference}; {low}–{high}×</source>
        <translation>{difference}; {low}–{high}×</translation>
    </message>
    <message>
        <source>A choice is empty.</source>
        <translation>빈 선택지가 있습니다.</translation>
    </message>
    <message>
        <source>Give every choice a text.</source>
        <translation>모든 선택지에 텍스트를 넣으세요.</translation>
    </message>
    <message>
        <source>Prompt and choice have {length} tokens, but the context window holds {context}.</source>
        <translation>프롬프트와 선택지는 {length}토큰인데 컨텍스트에는 {context}토큰이 들어갑니다.</translation>
    </message>
    <message>
        <source>Shorten the prompt, or use fewer examples.</source>
        <translation>프롬프트를 줄이거나 예시를 줄이세요.</translation>
    </message>
    <message>
        <source>Recognized as {test}. Prompts as in lm-evaluation-harness, without the chat template.</source>
        <translation>{test}로 인식했습니다. 프롬프트는 lm-evaluation-harness와 같으며 채팅 템플릿은 쓰지 않습니다.</translation>
    </message>
    <message>
        <source>lm-evaluation-harness puts a title before each passage. This file has no titles.</source>
        <translation>lm-evaluation-harness는 지문 앞에 제목을 붙입니다. 이 파일에는 제목이 없습니다.</translation>
    </message>
    <message>
        <source>lm-evaluation-harness begins with a line about the subject. This file has no subject.</source>
        <translation>lm-evaluation-harness는 과목에 관한 줄로 시작합니다. 이 파일에는 과목이 없습니다.</translation>
    </message>
    <message>
        <source>Set the stop string “Question:”: without the chat template the model may continue with more questions.</source>
        <translation>중지 문자열 “Question:”을 설정하세요. 채팅 템플릿이 없으면 모델이 질문을 이어서 쓸 수 있습니다.</translation>
    </message>
    <message>
        <source>Row {row} doesn&apos;t have the form of {test}, so the columns are used as they are.</source>
        <translation>{row}행이 {test} 형식이 아니므로 열을 그대로 사용합니다.</translation>
    </message>
    <message numerus="yes">
        <source>{file} has only %n other rows.</source>
        <comment>{file} has only %n other row.</comment>
        <translation>
            <numerusform>{file}에는 다른 행이 %n개뿐입니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Use fewer examples, or another file.</source>
        <translation>예시를 줄이거나 다른 파일을 사용하세요.</translation>
    </message>
    <message>
        <source>{file} has no column “{name}”, which was chosen for the set.</source>
        <translation>{file}에 이 세트에 선택한 열 “{name}”이(가) 없습니다.</translation>
    </message>
    <message>
        <source>Use another file.</source>
        <translation>다른 파일을 사용하세요.</translation>
    </message>
    <message>
        <source>its first rows</source>
        <translation>처음 행들</translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation>시드 {seed}</translation>
    </message>
    <message numerus="yes">
        <source>%n examples from {file} ({way}) precede each prompt.</source>
        <comment>%n example from {file} ({way}) precedes each prompt.</comment>
        <translation>
            <numerusform>각 프롬프트 앞에 {file}의 예시 %n개({way})가 옵니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>This row has fewer than two choices.</source>
        <translation>이 행은 선택지가 두 개보다 적습니다.</translation>
    </message>
    <message>
        <source>A score is missing or isn&apos;t a finite number. Run the evaluation again.</source>
        <translation>점수가 없거나 유한한 수가 아닙니다. 평가를 다시 실행하세요.</translation>
    </message>
    <message>
        <source>{file} can&apos;t be read ({reason}).</source>
        <translation>{file}을(를) 읽을 수 없습니다({reason}).</translation>
    </message>
    <message>
        <source>Choose a file that Sluice has saved for a lesson.</source>
        <translation>Sluice가 수업에 대해 저장한 파일을 고르세요.</translation>
    </message>
    <message>
        <source>There is no progress file in {folder}.</source>
        <translation>{folder}에 진도 파일이 없습니다.</translation>
    </message>
    <message>
        <source>Put the files that the students saved into one folder.</source>
        <translation>학생들이 저장한 파일을 한 폴더에 넣으세요.</translation>
    </message>
    <message>
        <source>HTML isn&apos;t allowed</source>
        <translation>HTML은 쓸 수 없습니다</translation>
    </message>
    <message>
        <source>pictures aren&apos;t allowed</source>
        <translation>그림은 쓸 수 없습니다</translation>
    </message>
    <message>
        <source>links aren&apos;t allowed</source>
        <translation>링크는 쓸 수 없습니다</translation>
    </message>
    <message>
        <source>control characters aren&apos;t allowed</source>
        <translation>제어 문자는 쓸 수 없습니다</translation>
    </message>
    <message>
        <source>Correct the file, and open the folder again.</source>
        <translation>파일을 고치고 폴더를 다시 여세요.</translation>
    </message>
    <message>
        <source>{file}, line {line}: {problem}.</source>
        <translation>{file}, {line}번째 줄: {problem}.</translation>
    </message>
    <message>
        <source>A lesson is a folder with the file en.md.</source>
        <translation>수업은 en.md 파일이 있는 폴더입니다.</translation>
    </message>
    <message>
        <source>the file must begin with “# ” and a title</source>
        <translation>파일은 “# ”과 제목으로 시작해야 합니다</translation>
    </message>
    <message>
        <source>the lesson has no step</source>
        <translation>수업에 단계가 없습니다</translation>
    </message>
    <message>
        <source>there are more than {most} steps</source>
        <translation>단계가 {most}개보다 많습니다</translation>
    </message>
    <message>
        <source>the line is longer than {most} characters</source>
        <translation>줄이 {most}자보다 깁니다</translation>
    </message>
    <message>
        <source>the first line of a step must be “step:” and its kind</source>
        <translation>단계의 첫 줄은 “step:”과 종류여야 합니다</translation>
    </message>
    <message>
        <source>a step must begin with “step:” and its kind</source>
        <translation>단계는 “step:”과 종류로 시작해야 합니다</translation>
    </message>
    <message>
        <source>the text is longer than {most} characters</source>
        <translation>내용이 {most}자보다 깁니다</translation>
    </message>
    <message>
        <source>“{key}” has no value</source>
        <translation>“{key}”에 값이 없습니다</translation>
    </message>
    <message>
        <source>“{key}” isn&apos;t known in this kind of step</source>
        <translation>“{key}”은(는) 이 종류의 단계에서 쓸 수 없습니다</translation>
    </message>
    <message>
        <source>an option is “VALUE | TEXT”, and there are at most {most}</source>
        <translation>선택지는 “값 | 글”이고 최대 {most}개입니다</translation>
    </message>
    <message>
        <source>“judge” is “FIGURE = RANGE”, and there are at most {most}</source>
        <translation>“judge”는 “수치 = 범위” 형식이고 최대 {most}개입니다</translation>
    </message>
    <message>
        <source>there are more than {most} figures</source>
        <translation>수치가 {most}개보다 많습니다</translation>
    </message>
    <message>
        <source>a setting has one value</source>
        <translation>설정에는 값이 하나입니다</translation>
    </message>
    <message>
        <source>a choice needs two options</source>
        <translation>선택에는 선택지가 두 개 필요합니다</translation>
    </message>
    <message>
        <source>options need “answer: choice”</source>
        <translation>선택지에는 “answer: choice”가 필요합니다</translation>
    </message>
    <message>
        <source>a number needs “compare:” and a figure</source>
        <translation>숫자에는 “compare:”와 수치가 필요합니다</translation>
    </message>
    <message>
        <source>a run needs a prompt</source>
        <translation>실행에는 프롬프트가 필요합니다</translation>
    </message>
    <message>
        <source>a comparison needs a text as “prompt:”</source>
        <translation>비교에는 “prompt:”에 텍스트가 필요합니다</translation>
    </message>
    <message>
        <source>“token” needs “inside:”</source>
        <translation>“token”에는 “inside:”가 필요합니다</translation>
    </message>
    <message>
        <source>an experiment needs “experiment:” and a prompt</source>
        <translation>실험에는 “experiment:”와 프롬프트가 필요합니다</translation>
    </message>
    <message>
        <source>a setting is out of range</source>
        <translation>설정이 범위를 벗어났습니다</translation>
    </message>
    <message>
        <source>“{text}” isn&apos;t a whole number up to {most}</source>
        <translation>“{text}”은(는) {most} 이하의 정수가 아닙니다</translation>
    </message>
    <message>
        <source>“{text}” is not one of: {known}</source>
        <translation>“{text}”은(는) 다음 중 하나가 아닙니다: {known}</translation>
    </message>
    <message>
        <source>“{text}” isn&apos;t a valid name</source>
        <translation>“{text}”은(는) 올바른 이름이 아닙니다</translation>
    </message>
    <message>
        <source>the id “{id}” occurs twice</source>
        <translation>id “{id}”가 두 번 나옵니다</translation>
    </message>
    <message>
        <source>there is no prediction “{id}”</source>
        <translation>예측 “{id}”가 없습니다</translation>
    </message>
    <message>
        <source>there is no figure “{name}”</source>
        <translation>수치 “{name}”이(가) 없습니다</translation>
    </message>
    <message>
        <source>step {number} differs from the English file</source>
        <translation>{number}번째 단계가 영어 파일과 다릅니다</translation>
    </message>
    <message>
        <source>the number of steps differs from the English file</source>
        <translation>단계의 수가 영어 파일과 다릅니다</translation>
    </message>
    <message>
        <source>The calibration needs {least} rows with a confidence and a checked answer. A variant has at most {most}.</source>
        <translation>보정에는 확신도와 검사한 답이 있는 행이 {least}개 필요합니다. 변형에는 많아야 {most}개가 있습니다.</translation>
    </message>
    <message>
        <source>The variant of the diagram</source>
        <translation>도표의 갈래</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>확신도</translation>
    </message>
    <message>
        <source>The accuracy is computed for the rows with at least this confidence</source>
        <translation>확신도가 이 값 이상인 행에서 정확도를 계산합니다</translation>
    </message>
    <message>
        <source>Reliability diagram, calibration error and Brier score of the variants</source>
        <translation>갈래의 신뢰도 도표, 보정 오차, 브라이어 점수</translation>
    </message>
    <message numerus="yes">
        <source>%n rows have at least this confidence</source>
        <comment>%n row has at least this confidence</comment>
        <translation>
            <numerusform>%n행의 확신도가 이 값 이상입니다</numerusform>
        </translation>
    </message>
    <message>
        <source>{rows} ({share}). {rate} of them are right (95 % CI {range}).</source>
        <translation>{rows} ({share}). 그중 {rate}가 정답입니다 (95 % CI {range}).</translation>
    </message>
    <message>
        <source>Reliability diagram</source>
        <translation>신뢰도 도표</translation>
    </message>
    <message>
        <source>confidence {confidence}: {rate} right, {rows} rows</source>
        <translation>확신도 {confidence}: 정답 {rate}, {rows}행</translation>
    </message>
    <message>
        <source>Open a Lesson</source>
        <translation>수업 열기</translation>
    </message>
    <message>
        <source>Save a Lesson Template</source>
        <translation>수업 견본 저장</translation>
    </message>
    <message>
        <source>Folder of a Class</source>
        <translation>한 반의 폴더</translation>
    </message>
    <message>
        <source>Saved: {file}</source>
        <translation>저장했습니다: {file}</translation>
    </message>
    <message>
        <source>Comparison: {words}</source>
        <translation>비교: {words}</translation>
    </message>
    <message>
        <source>Raw: {title}</source>
        <translation>Raw: {title}</translation>
    </message>
    <message>
        <source>The progress can&apos;t be saved. Check the free space of the data folder.</source>
        <translation>진도를 저장할 수 없습니다. 데이터 폴더의 남은 공간을 확인하세요.</translation>
    </message>
    <message>
        <source>Save the Class Sheet</source>
        <translation>반 전체 표 저장</translation>
    </message>
    <message>
        <source>Save Answers</source>
        <translation>답 저장</translation>
    </message>
    <message>
        <source>{role}, edited by hand</source>
        <translation>{role}, 직접 편집함</translation>
    </message>
    <message>
        <source>{role} ({model})</source>
        <translation>{role} ({model})</translation>
    </message>
    <message>
        <source>All actions for this turn</source>
        <translation>이 차례의 모든 동작</translation>
    </message>
    <message>
        <source>Settings differ</source>
        <translation>설정이 다름</translation>
    </message>
    <message>
        <source>Run settings: {settings}</source>
        <translation>실행 설정: {settings}</translation>
    </message>
    <message>
        <source>These settings of the run differ from the controls. “Use These Settings” in the menu ⋯ applies them.</source>
        <translation>이 실행의 설정 중 생성 옵션과 다른 것입니다. ⋯ 메뉴의 “이 설정 사용”으로 적용할 수 있습니다.</translation>
    </message>
    <message>
        <source>Actions for this turn</source>
        <translation>이 차례의 동작</translation>
    </message>
    <message>
        <source>Show the window of the server</source>
        <translation>서버 창을 보여 줍니다</translation>
    </message>
    <message>
        <source>Show the server</source>
        <translation>서버 보기</translation>
    </message>
    <message>
        <source>Stop the server and free its memory</source>
        <translation>서버를 멈추고 메모리를 비웁니다</translation>
    </message>
    <message>
        <source>Stop server</source>
        <translation>서버 멈추기</translation>
    </message>
    <message>
        <source>Serving {model} at {address}</source>
        <translation>{address}에서 {model} 서비스 중</translation>
    </message>
    <message>
        <source>{server} · {size} in its own process</source>
        <translation>{server} · 별도 프로세스에서 {size}</translation>
    </message>
    <message>
        <source>The answer ended before its steps were measured.</source>
        <translation>단계를 측정하기 전에 답변이 끝났습니다.</translation>
    </message>
    <message>
        <source>Choose a longer answer.</source>
        <translation>더 긴 답변을 고르세요.</translation>
    </message>
    <message>
        <source>Open another model.</source>
        <translation>다른 모델을 여세요.</translation>
    </message>
    <message>
        <source>A run without a KV cache uses no draft.</source>
        <translation>KV 캐시 없는 실행은 드래프트를 쓰지 않습니다.</translation>
    </message>
    <message>
        <source>Turn the KV cache on.</source>
        <translation>KV 캐시를 켜세요.</translation>
    </message>
    <message>
        <source>The answer is too short for a prediction.</source>
        <translation>답변이 너무 짧아 예측할 수 없습니다.</translation>
    </message>
    <message>
        <source>Choose an answer of 8 or more tokens.</source>
        <translation>토큰이 8개 이상인 답변을 고르세요.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>출처</translation>
    </message>
    <message>
        <source>No: not one draft token would have been accepted.</source>
        <translation>아니요: 드래프트 토큰이 하나도 수락되지 않았을 것입니다.</translation>
    </message>
    <message>
        <source>No: the fastest draft is {draft}, about {speedup} as fast ({range}).</source>
        <translation>아니요: 가장 빠른 드래프트({draft})도 속도가 약 {speedup}입니다({range}).</translation>
    </message>
    <message>
        <source>Perhaps: about {speedup} as fast with {draft}, but each step was measured only once.</source>
        <translation>아마도: {draft}(으)로 속도가 약 {speedup}이지만, 각 단계를 한 번만 측정했습니다.</translation>
    </message>
    <message>
        <source>Perhaps: about {speedup} as fast with {draft}, but the range is {range}.</source>
        <translation>아마도: {draft}(으)로 속도가 약 {speedup}이지만, 범위가 {range}입니다.</translation>
    </message>
    <message>
        <source>Yes: about {speedup} as fast ({range}) with {draft}.</source>
        <translation>예: {draft}(으)로 속도가 약 {speedup}입니다({range}).</translation>
    </message>
    <message>
        <source>Measured with {draft}: {speedup} as fast ({range}, n = {pairs} pairs).</source>
        <translation>{draft}(으)로 측정: 속도 {speedup}({range}, n = {pairs}쌍).</translation>
    </message>
    <message numerus="yes">
        <source>the draft model and %n tokens per step</source>
        <comment>the draft model and %n token per step</comment>
        <translation>
            <numerusform>드래프트 모델, 단계당 토큰 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>prompt lookup and %n tokens per step</source>
        <comment>prompt lookup and %n token per step</comment>
        <translation>
            <numerusform>prompt lookup, 단계당 토큰 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>A speed-up is that of decoding, without the prefill. Ranges are from the lower to the upper quartile.</source>
        <translation>속도 향상은 프리필을 뺀 디코딩의 속도 향상입니다. 범위는 아래 사분위수부터 위 사분위수까지입니다.</translation>
    </message>
    <message>
        <source>Runs use n-grams of up to 3 tokens; shorter ones are shown for comparison.</source>
        <translation>실행은 최대 3토큰의 n-그램을 씁니다. 더 짧은 것은 비교용입니다.</translation>
    </message>
    <message>
        <source>Each step proposes a fixed number of tokens. “Automatic” proposes none where that costs time.</source>
        <translation>각 단계는 정해진 개수의 토큰을 제안합니다. “자동”은 시간을 잃는 곳에서는 제안하지 않습니다.</translation>
    </message>
    <message>
        <source>A draft model is included if it is open.</source>
        <translation>드래프트 모델은 열려 있으면 포함됩니다.</translation>
    </message>
    <message>
        <source>Above temperature 0, a draft model changes the sampled text. The prediction can&apos;t include that.</source>
        <translation>온도가 0보다 높으면 드래프트 모델이 샘플링된 텍스트를 바꿉니다. 예측에는 이를 넣을 수 없습니다.</translation>
    </message>
    <message>
        <source>The output format and reasoning budget are ignored for the draft model, so more may be accepted.</source>
        <translation>드래프트 모델의 제안에는 출력 형식과 추론 예산을 반영하지 않았으므로 실제로는 더 많이 수락될 수 있습니다.</translation>
    </message>
    <message>
        <source>Prompt lookup, longest n-gram {length}</source>
        <translation>Prompt lookup, 가장 긴 n-그램 {length}</translation>
    </message>
    <message>
        <source>Draft model {name}</source>
        <translation>드래프트 모델 {name}</translation>
    </message>
    <message>
        <source>measured once</source>
        <translation>한 번 측정</translation>
    </message>
    <message>
        <source>A server sent pieces of text instead of tokens: their boundaries are not those of tokens.</source>
        <translation>서버가 토큰 대신 텍스트 조각을 보냈습니다. 조각의 경계는 토큰의 경계가 아닙니다.</translation>
    </message>
    <message>
        <source>The first {shown} of {all} variants are compared.</source>
        <translation>갈래 {all}개 중 처음 {shown}개를 비교합니다.</translation>
    </message>
    <message>
        <source>The tokens of each column in a row, equal ones below each other</source>
        <translation>열마다 한 줄의 토큰, 같은 토큰은 위아래로 나란히</translation>
    </message>
    <message>
        <source>Aligned tokens</source>
        <translation>정렬된 토큰</translation>
    </message>
    <message>
        <source>{column}: no token here</source>
        <translation>{column}: 여기에 토큰 없음</translation>
    </message>
    <message>
        <source>{column}, token {number}: {text}</source>
        <translation>{column}, 토큰 {number}: {text}</translation>
    </message>
    <message>
        <source>the text of the choice</source>
        <translation>선택지의 텍스트</translation>
    </message>
    <message>
        <source>a letter: A is the first choice</source>
        <translation>문자: A가 첫째 선택지</translation>
    </message>
    <message>
        <source>a number: 0 is the first choice</source>
        <translation>숫자: 0이 첫째 선택지</translation>
    </message>
    <message>
        <source>a number: 1 is the first choice</source>
        <translation>숫자: 1이 첫째 선택지</translation>
    </message>
    <message>
        <source>The answers fit numbers from 0 and from 1; they are read as “{form}”.</source>
        <translation>답이 0부터 세는 번호와 1부터 세는 번호에 모두 맞습니다. ‘{form}’(으)로 읽습니다.</translation>
    </message>
    <message>
        <source>Row {row}: {reason}</source>
        <translation>{row}행: {reason}</translation>
    </message>
    <message>
        <source>Choose other columns.</source>
        <translation>다른 열을 선택하세요.</translation>
    </message>
    <message>
        <source>it needs at least two choices, and none may be empty.</source>
        <translation>선택지가 둘 이상이어야 하고 비어 있으면 안 됩니다.</translation>
    </message>
    <message>
        <source>the answer “{answer}” names none of its {count} choices.</source>
        <translation>정답 “{answer}”에 해당하는 선택지가 {count}개 가운데 없습니다.</translation>
    </message>
    <message>
        <source>Run a Sample</source>
        <translation>예시 실행</translation>
    </message>
    <message numerus="yes">
        <source>%n queued prompts were removed.</source>
        <comment>%n queued prompt was removed.</comment>
        <translation>
            <numerusform>대기 중인 프롬프트 %n개를 제거했습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The controls have their defaults.</source>
        <translation>생성 옵션이 기본값입니다.</translation>
    </message>
    <message>
        <source>Open a model to use the settings of an answer.</source>
        <translation>답변의 설정을 사용하려면 모델을 여세요.</translation>
    </message>
    <message>
        <source>The settings of this answer can&apos;t be read.</source>
        <translation>이 답변의 설정을 읽을 수 없습니다.</translation>
    </message>
    <message>
        <source>The controls already have the settings of this answer.</source>
        <translation>생성 옵션이 이미 이 답변의 설정과 같습니다.</translation>
    </message>
    <message>
        <source>The controls have the settings of the answer: {settings}.</source>
        <translation>생성 옵션을 답변의 설정으로 바꾸었습니다: {settings}.</translation>
    </message>
    <message>
        <source>Empty Page</source>
        <translation>빈 페이지</translation>
    </message>
    <message>
        <source>{set}, sample</source>
        <translation>{set}, 예시</translation>
    </message>
    <message>
        <source>Decode speed without draft tokens, with a draft model, and with prompt lookup.</source>
        <translation>드래프트 토큰이 없을 때, 드래프트 모델을 쓸 때, prompt lookup을 쓸 때의 디코딩 속도.</translation>
    </message>
    <message>
        <source>Would a draft have made my last answer faster?</source>
        <translation>드래프트가 있었다면 마지막 답변이 더 빨랐을까요?</translation>
    </message>
    <message>
        <source>“Predict draft gain…” in the table of runs predicts it from the answer, also without a draft model.</source>
        <translation>실행 표의 “드래프트 이득 예측…”은 드래프트 모델이 없어도 답변에서 예측합니다.</translation>
    </message>
    <message>
        <source>Which quantization?</source>
        <translation>어떤 양자화가 좋은가요?</translation>
    </message>
    <message>
        <source>Size, KL divergence from the original, speed and memory of the open model with 8 to 2 bits per weight.</source>
        <translation>열린 모델을 가중치당 8~2비트로 양자화했을 때의 크기, 원본과의 KL 발산, 속도, 메모리.</translation>
    </message>
    <message>
        <source>Decode speed with the KV cache and without it, early and late in the answer.</source>
        <translation>KV 캐시가 있을 때와 없을 때의 디코딩 속도, 답변의 앞부분과 뒷부분에서.</translation>
    </message>
    <message>
        <source>Time to first token with the earlier turns in the cache, and without them.</source>
        <translation>이전 턴이 캐시에 있을 때와 없을 때의 첫 토큰까지의 시간.</translation>
    </message>
    <message>
        <source>Which temperature?</source>
        <translation>어떤 온도가 좋은가요?</translation>
    </message>
    <message>
        <source>Variety, repetition, length and agreement of the texts at several temperatures. Other settings too.</source>
        <translation>여러 온도에서 텍스트의 다양성, 반복, 길이, 일치. 다른 설정도 비교할 수 있습니다.</translation>
    </message>
    <message>
        <source>Which layer decides the answer?</source>
        <translation>어떤 레이어가 답변을 정하나요?</translation>
    </message>
    <message>
        <source>Logit lens: the most likely token after each layer. Attribution: the parts of the prompt that matter.</source>
        <translation>로짓 렌즈: 각 레이어 뒤의 가장 확률 높은 토큰. 기여도: 중요한 프롬프트 부분.</translation>
    </message>
    <message>
        <source>Answers, speed and memory of two models for one prompt.</source>
        <translation>한 프롬프트에 대한 두 모델의 답변, 속도, 메모리.</translation>
    </message>
    <message>
        <source>Which model or setting answers correctly more often?</source>
        <translation>어떤 모델이나 설정이 더 자주 맞게 답하나요?</translation>
    </message>
    <message>
        <source>Share of correct answers to a set of prompts, with a test for significance.</source>
        <translation>프롬프트 세트에 대한 정답 비율과 유의성 검정.</translation>
    </message>
    <message>
        <source>What limits the speed?</source>
        <translation>무엇이 속도를 제한하나요?</translation>
    </message>
    <message>
        <source>Memory bandwidth of this computer, and the share of it that the model reaches.</source>
        <translation>이 컴퓨터의 메모리 대역폭과, 모델이 그중 얼마를 쓰는지.</translation>
    </message>
    <message>
        <source>The first different token with each setting, and the settings to keep for the same tokens.</source>
        <translation>각 설정에서 처음으로 다른 토큰과, 같은 토큰을 얻으려면 유지해야 하는 설정.</translation>
    </message>
    <message>
        <source>What Do You Want to Know?</source>
        <translation>무엇을 알고 싶으세요?</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>질문</translation>
    </message>
    <message>
        <source>Only answers of a model can be compared. The other branches were edited by hand.</source>
        <translation>모델의 답변만 비교할 수 있습니다. 다른 가지는 직접 편집한 것입니다.</translation>
    </message>
    <message>
        <source>The template can&apos;t be saved.</source>
        <translation>템플릿을 저장할 수 없습니다.</translation>
    </message>
    <message>
        <source>Choose a folder without “{name}”.</source>
        <translation>‘{name}’이(가) 없는 폴더를 고르세요.</translation>
    </message>
</context>
</TS>
