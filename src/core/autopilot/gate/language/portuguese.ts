import { spacedLanguage } from "./spaced.ts";

export const PORTUGUESE = spacedLanguage({
  code: "pt",
  name: "Portuguese",
  script: "latin",
  leadsOn:
    /(?<![a-z])(?:sim|ok|continu|sig|segu|prossig|prosseg|avanc|comec|pronto|certo|correto|bem|bom|concord|confirm|perfeito|claro|vamos)/,
  // Who is asked to do "that" does not know what it is.
  pointing: [/(?<![a-z])(?:fac|faz|feit|us[oae])/u, /(?<![a-z])(?:isso|isto|este|esta|esse|essa|assim)(?![a-z])/u],
  doingNothing:
    "cancelar, pular, ignorar, não, agora não, depois, mais tarde, ainda não, deixar assim, outra coisa, você decide, parar",
  endings:
    "o a os as e es em am ar er ir amos emos imos ado ada ados adas ido ida idos idas ando endo indo ava aria ariam eria mente ões ão",
  words: `
    dois duas três quatro cinco seis sete oito nove dez vinte cinquenta cem convenção convenções quantidade altura largura comprimento tamanho
    tamanhos posição lugar animação animações transição transições fundo borda bordas sombra sombras canto cantos cartões link links lógica laço
    condição parâmetro parâmetros objeto objetos natural naturais ajuda rótulo rótulos etiqueta etiquetas artigo artigos citação soma total
    parcial opcional obrigatório obrigatória válido inválido progresso inimigo inimigos pontuação rodada dificuldade fácil difícil suficiente
    suficientes basta bonito bonita visual visuais tela telas celular comportamento critério critérios temos seja sejam estes estas esses essas
    início eu você vocês tu ele ela nós me te se meu minha meus minhas seu sua seus suas o a os as um uma uns umas e ou mas também como que quê
    quem qual quais onde quando quanto quanta quantos quantas porque por para pra com de do da dos das ao aos à às em no na nos nas num numa
    entre sobre sob segundo desde mais menos muito muita muitos muitas pouco pouca cada ambos ambas algum alguma alguns algumas outro outra
    outros outras é são era ser seria está estão estar há tem têm ter tenha deve devem deveria deveriam devo devemos pode podem posso poderia
    podemos quer quero querem queremos prefere preferem prefiro preferiria gosta gostaria vai vão vamos ir fazer faço façamos fazemos faz uso
    usa usar usamos usado utiliz* mostr* exib* escrev* escrito escrita ler leia legível explic* descrev* compar* escolh* decid* recomend* suger*
    continu* sigo seguir seguimos prossigo prosseguir começar começo começamos adicion* acrescent* inclu* cobrir cobrem cobre coberto orden*
    agrup* filtr* format* test* revis* verific* chec* cham* chamar chamar-se nome* coloc* fic* ficar posicion* alinh* centraliz* desenh* projet*
    refator* simplific* document* coment* traduz* arredond* cont* calcul* medir suport* estrutur* organiz* detalh* sim não ok bem melhor pior
    agora primeiro primeira primeiros primeiras segunda terceiro último última depois logo só somente talvez assim aqui cor cores azul vermelho
    vermelha verde verdes amarelo amarela cinza preto preta branco branca laranja marrom rosa roxo violeta claro clara escuro escura contraste
    paleta tom tons tema temas estilo estilos aparência fonte fontes letra letras tipografia título títulos subtítulo cabeçalho rodapé texto
    textos palavra palavras frase frases parágrafo parágrafos linha linhas coluna colunas página páginas margem margens espaçamento botão botões
    menu menus barra barras lateral ícone ícones imagem imagens gráfico gráficos diagrama diagramas círculo grade grades lista listas tabela
    tabelas campo campos formulário formulários entrada entradas saída saídas aviso avisos mensagem mensagens erro erros exemplo exemplos guia
    guias documentação comentário comentários descrição descrições introdução resumo seção seções capítulo capítulos conteúdo idioma idiomas
    língua português inglês espanhol francês alemão nome nomes função funções classe classes módulo módulos método métodos variável variáveis
    tipo tipos formato formatos data datas hora horas fuso horário tempo número números unidade unidades metros quilômetros milhas graus
    porcentagem decimal decimais dia dias semana semanas mês meses ano anos minuto minutos segundos janeiro fevereiro março abril maio junho
    julho agosto setembro outubro novembro dezembro segunda-feira terça-feira sábado domingo abordagem abordagens variante variantes opção
    opções alternativa ordem estrutura estruturas arquitetura padrão padrões biblioteca bibliotecas dados ferramenta ferramentas versão versões
    escopo funcionalidade funcionalidades busca buscar pesquisa visão visualização prévia valor valores parte partes caso casos limite limites
    cobertura componente componentes interface iniciante iniciantes avançado avançada objetivo pergunta perguntas resposta respostas detalhe
    detalhes detalhado detalhada breve curto curta longo longa completo completa mínimo mínima médio média máximo nível níveis grande grandes
    pequeno pequena esquerda direita acima abaixo topo embaixo centro centralizado vertical horizontal alfabética alfabético cronológico
    crescente decrescente formal informal amigável sério técnico técnica moderno moderna clássico clássica simples elegante minimalista redondo
    negrito itálico maiúscula maiúsculas minúscula minúsculas plural singular indentação espaços tabulação tabulações aspas duplas vírgula ponto
    hífen parênteses principal principais secundário importante importantes útil úteis clareza rápido rápida lento lenta preciso flexível
    robusto consistente coerente correto correta certo perfeito obrigado obrigada necessário necessária normal normais este esta esse essa
    produto produtos carrinho jogo jogos jogador jogadores teste testes relatório relatórios resultado resultados esboço
  `,
  alarms: {
    "destroying or replacing": {
      stems: `apag elimin exclu remov delet limp esvazi destru descart sobrescrev substitu reinici redefin desinstal desfaz aposent antig velh mover renome perd irrevers definitiv adeus despedi arquiv`,
      whole: "fim zerar zero mova movo tira tirar livrar",
    },
    "going out to others": {
      stems: `public implant lanc envi mand compartilh cliente producao correio notific convid anunci ramo mundo equipe internet solt todos`,
      whole: "subo suba sobe subir subimos",
    },
    "the machine and what runs on it": {
      stems: `servidor maquina instal execut reinici deslig disco pasta diretorio comando processo servico sistema ambiente pacot dependenc tomada`,
      whole: "rede rodar roda rodo iniciar inicia",
    },
    "guards and autonomy": {
      stems: `permi autoriz aprov acess segur proteg desativ ignor deix sozinh autonom privileg conced`,
      whole: "sem pular direitos embora",
      phrases: [/(?<![a-z])(?:voce|voces|esta|estao|estamos|tu)(?![a-z])[\s\S]*(?<![a-z])(?:acordo|concord|certeza)/],
    },
    "secrets and accounts": { stems: `senha chave segred credenc conta privad pessoal sessao` },
    "cost and models": {
      whole: "cobrar cobro cobranca pago paga pagar plano planos compra comprar compro preco precos",
      stems: `assin cust tarif cartao dinheiro fatur gast gratis gratuit model alug banco`,
    },
  },
});
